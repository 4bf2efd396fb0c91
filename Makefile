# Everything runs from a virtual environment in .venv. The service needs requirements.run.lock, and its developers need
# requirements.lock, which has all of that in the same versions.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNS := $(VENV)/.runs
READY := $(VENV)/.ready
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check

COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-emit-find-links --no-annotate --no-header pyproject.toml

# Compiled files are kept in any case: the service and the tests start many processes, and each would compile all of it.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test test-fast lint bench bench-check calibration lighthouse soak mutants lock openapi goldens languages pictures icons dist clean

$(RUNS): requirements.run.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --require-hashes -r requirements.run.lock
	PYTHONWARNINGS=ignore $(INSTALL) --no-deps --no-build-isolation -e .
	touch $(RUNS)

$(READY): requirements.lock $(RUNS)
	$(INSTALL) --require-hashes -r requirements.lock
	touch $(READY)

dist: $(RUNS)  ## a wheel and a source archive, in dist/
	$(BIN)/python -c "from setuptools import build_meta as build; build.build_sdist('dist'); build.build_wheel('dist')"

run: $(RUNS)  ## the service, its worker and its embedded Valkey, with sample games; NETWORK=1 lets phones in
	$(BIN)/kifu serve --samples $(if $(NETWORK),--network)

test-fast: $(READY)  ## what needs no browser, no other program and no patience
	$(BIN)/pytest --fast

test: $(READY)  ## every promise of the project, in parallel
	@$(BIN)/python -m tests.browser
	$(BIN)/pytest --max-suite-reruns=5

lint: $(READY)  ## style, types, imports and plain words; of the pages' code, too, where there is npm
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.page_code
	$(BIN)/python -m tests.plain_words

bench: $(READY)  ## ratios to raw floors measured in the same run; KEEP=1 keeps them as those of the release
	$(BIN)/python -m benchmarks $(if $(KEEP),--keep) $(NAMES)

bench-check: $(READY)  ## these figures beside those of the release, or of BASE=commit; fails where one fell by a tenth
	$(BIN)/python -m benchmarks.check $(if $(BASE),--base $(BASE)) $(NAMES)

calibration: $(READY)  ## how well chances to win come true, into docs/calibration.md; GAMES=2000 of each ruleset
	nice $(BIN)/python -m benchmarks.calibration

lighthouse: $(READY)  ## what Lighthouse says of the pages, as a phone on slow 4G loads them
	@$(BIN)/python -m tests.browser
	$(BIN)/python -m tests.lighthouse

soak: $(READY)  ## the long forms of the fault tests, which take hours; with PATHS=tests/events those there
	KIFU_SOAK=1 $(BIN)/pytest -m soak -n 2 --timeout 1800 $(PATHS)

mutants: $(READY)  ## plants small faults in events/ and projections/ and sees whether the tests notice
	$(BIN)/python -m tests.mutants --sample $(or $(SAMPLE),30) --seed $(or $(SEED),1) $(PATHS)

openapi: $(READY)  ## openapi.yaml with its examples, and the JSON Schemas of records
	$(BIN)/python -m tests.examples
	$(BIN)/python -m service.api.openapi > openapi.yaml
	$(BIN)/python -m tests.schemas

goldens: $(READY)
	$(BIN)/python -m tests.goldens

languages: $(READY)  ## what CLDR says of languages, and the catalogues, with the words that are in the code by now
	$(BIN)/python -m tests.cldr
	$(BIN)/python -m tests.languages

pictures: $(READY)  ## the pictures of the README and of the style, anew
	$(BIN)/python -m tests.pictures

icons: $(READY)  ## the icons of the home screen, from the icon of the pages
	$(BIN)/python -m tests.icons

lock:  ## resolve the pinned ranges anew, for every platform and Python
	$(BIN)/pip install --quiet uv
	$(COMPILE) --extra dev -o requirements.lock
	$(COMPILE) --group build --constraint requirements.lock -o requirements.run.lock

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
