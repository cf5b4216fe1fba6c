# make run    the app in a browser              make quick     style, imports and unit tests
# make test   everything that is tested         make coverage  the same, and how much of agent/ it runs
# make texts  the catalogues of the interface brought up to its code
# make pins   write requirements.txt anew       make docs      write docs/events.md and docs/formats.md

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# uv takes a quarter of pip's time; where it cannot be had or cannot install, pip does it. What takes seconds is announced.
define install
@echo "Getting uv, which installs packages quickly."
@$(PIP) uv==0.13.9 2>/dev/null || echo "uv cannot be had here."
@echo "Installing the packages of $(1). What is not on this machine yet is downloaded."
@rm -f .venv/no-uv
@{ $(BIN)/uv pip install --python $(BIN)/python -r $(1) 2>&1 || touch .venv/no-uv; } | grep --line-buffered -v '^ [-+~] ' || true
@if test -e .venv/no-uv; then echo "uv did not install them. pip does, which takes a few minutes."; $(PIP) -r $(1); fi
@echo "Compiling them, so that every start is quick. This takes half a minute."
@$(BIN)/python -m compileall -q -j 0 .venv/lib || true
endef

# Where it is set, each of a hundred processes compiles its modules anew, and pytest the tests: twice the time to begin.
unexport PYTHONDONTWRITEBYTECODE

# How many tests run at once: two more than there are cores. A test of the browser is at work for half of its time, and
# waits for the other half. PYTEST takes any other option, as in: make test PYTEST='--seed 7 -x'
WORKERS ?= $$(($$(getconf _NPROCESSORS_ONLN) + 2))
# The tests of a file stay in one process and share what they start; the order of tests/conftest.py is kept.
tests = $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder $(PYTEST)

# Pyright, which works on one core, runs in what the tests leave idle; what it found is told after them.
define beside_types
nice $(BIN)/pyright > .venv/types.log 2>&1 & types=$$!; trap "kill $$types" INT TERM; \
$(1); tested=$$?; \
wait $$types || { cat .venv/types.log; exit 1; }; exit $$tested
endef

.PHONY: run quick test coverage style pins docs browser postgres bubblewrap haproxy texts
run: .venv/app
	@echo "Starting Glassbox. It opens in your browser; Ctrl+C ends it."
	@$(BIN)/streamlit run app.py --server.address localhost

# The files with the most tests go first, so that no process is left alone with one at the end. Those that are marked
# as a whole are not even imported, and there is one process more than cores: these tests wait little, and what each
# process imports takes it six seconds of work.
marked = $(shell grep -rlzE 'pytestmark = \[?[[:space:]]*pytest\.mark\.(slow|system|browser)' --include='*.py' tests)
unmarked = $(filter-out $(marked),$(sort $(shell find tests -name 'test_*.py')))
quick: WORKERS = $$(($$(getconf _NPROCESSORS_ONLN) + 1))
quick: .venv/test style
	$(subst --no-loadscope-reorder,,$(tests)) $(unmarked) -m 'not slow and not system and not browser'

test: .venv/test browser postgres bubblewrap haproxy style
	$(call beside_types,$(tests))

coverage: .venv/test browser postgres bubblewrap haproxy style
	$(call beside_types,$(tests) --cov --cov-report=)
	$(BIN)/coverage report --fail-under=95 --skip-covered
	$(BIN)/coverage report --fail-under=100 --include='agent/loop/loop.py,agent/wire/react/*.py'

style: .venv/test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

.venv/app: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit("Glassbox needs Python 3.11 or newer; set PYTHON=…" if sys.version_info < (3, 11) else 0)'
	@echo "Preparing Glassbox, once: about a minute."
	@echo "Making the environment .venv with $$($(PYTHON) --version)."
	@$(PYTHON) -m venv .venv
	$(call install,requirements.txt)
	@touch $@

.venv/test: .venv/app tests/requirements.txt
	$(call install,tests/requirements.txt)
	@touch $@

# The browser tests drive Debian's Chromium, without the parts of a window where it comes so: a third less work. Elsewhere
# put a chromium on the PATH or name it in CHROMIUM.
browser:
	@test -n "$$CHROMIUM" || command -v chromium-headless-shell >/dev/null || \
	  (test "$$(id -u)" = 0 && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium-headless-shell >/dev/null) || \
	  command -v chromium >/dev/null || \
	  (echo "The browser tests need chromium: install it, or set CHROMIUM to its path." >&2; exit 1)

# The tests of databases start a PostgreSQL of their own; elsewhere put its programs on the PATH or name their folder.
postgres:
	@test -n "$$POSTGRES_BIN" || command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
	  (test "$$(id -u)" = 0 && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql >/dev/null) || \
	  (echo "The database tests need PostgreSQL: install it, or set POSTGRES_BIN to the folder of its programs." >&2; exit 1)

# The tests of the shell try what must not get out of it; where it cannot be confined they see that it is refused.
bubblewrap:
	@command -v bwrap >/dev/null || test "$$(id -u)" != 0 || \
	  (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq bubblewrap >/dev/null) || \
	  echo "Without bubblewrap the tests of the shell see only that it is refused." >&2

# The tests of the recipes in deploy/ put its proxy before two web processes; elsewhere put it on the PATH or name it.
haproxy:
	@test -n "$$HAPROXY" || command -v haproxy >/dev/null || test -x /usr/sbin/haproxy || \
	  (test "$$(id -u)" = 0 && apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq haproxy >/dev/null) || \
	  (echo "The tests of the recipes need HAProxy: install it, or set HAPROXY to its path." >&2; exit 1)

pins: .venv/test
	$(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --no-header --no-annotate -q -o requirements.txt
	$(BIN)/uv pip compile pyproject.toml --extra queue --extra s3 -c requirements.txt --universal --python-version 3.11 --no-header --no-annotate -q -o deploy/requirements.txt
	$(BIN)/uv pip compile pyproject.toml --group test -c requirements.txt --universal --python-version 3.11 --no-header --no-annotate -q -o .venv/all.txt
	LC_ALL=C sort -o .venv/all.txt .venv/all.txt
	LC_ALL=C sort requirements.txt | LC_ALL=C comm -13 - .venv/all.txt > tests/requirements.txt

docs: .venv/test
	$(BIN)/python -m tests.support.format_documents

texts: .venv/app
	$(BIN)/python -m pages.ui.text.words.extraction
