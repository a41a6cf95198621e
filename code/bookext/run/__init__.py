"""Run the notebooks: those whose results may have changed, in kernels that are forked, and observed."""
