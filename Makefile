# JAX, measured: `make site` and `make test` are all that a fresh machine with Python and make needs.
# Written for GNU make 3.81, which macOS still ships, and a POSIX shell.

.DEFAULT_GOAL := help
HERE := $(dir $(lastword $(MAKEFILE_LIST)))
GOALS := site record test soak fuzz serve bench audit lock clean help

ifneq ($(HERE),./)
# `make -f there/Makefile site`: start again in that folder.
.PHONY: $(GOALS)
$(GOALS):
	@$(MAKE) --no-print-directory -C "$(HERE)" $@
else

PYTHONS := $(or $(PYTHON),python3.14 python3.13 python3.12 python3)
BIN := .venv/bin
STAMP := .venv/installed

# A user's own settings must not reach into the environment.
unexport PYTHONHOME PYTHONPATH
export NO_MKDOCS_2_WARNING := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_USER := 0

.PHONY: $(GOALS) moved

help:  ## say what there is
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-7s %s\n", $$1, $$2 }' Makefile

site: $(STAMP)  ## make the environment, execute every snippet once here, build and check the site
	@echo '1/3 snippets: each is executed once on cpu, on this machine, into .benchbook/'
	@$(BIN)/benchbook record --backend cpu --processes 1; status=$$?; \
	[ $$status -le 1 ] || exit $$status; \
	echo '2/3 pages: built from the committed runs, into site/'; \
	$(BIN)/benchbook build && $(BIN)/mkdocs build --strict || exit $$?; \
	echo '3/3 checks: references, freshness, claims, run files, built pages'; \
	$(BIN)/benchbook check --built site; checked=$$?; \
	echo; \
	echo 'The site is in $(CURDIR)/site'; \
	echo 'To read it: python3 -m http.server -d "$(CURDIR)/site", or make serve to see edits as you make them.'; \
	[ $$status -eq 0 ] || echo 'A snippet failed on this machine: the table above names it. The pages show the committed runs.'; \
	[ $$checked -eq 0 ] || echo 'A check fell short: see above.'; \
	exit $$checked

record: $(STAMP)  ## record every snippet in full on cpu, and accept the runs into docs/runs
	@$(BIN)/benchbook record --accept $(ARGS)

test: $(STAMP)  ## run all tests, side by side; ARGS='-k name' chooses some, ARGS='-n 0' is one after another
	@$(BIN)/python scripts/audit/browser.py
	@$(BIN)/python -m pytest --numprocesses auto $(ARGS)

soak: $(STAMP)  ## run the tests with the long campaigns whole
	@$(BIN)/python scripts/audit/browser.py
	@SOAK=1 $(BIN)/python -m pytest --numprocesses auto $(ARGS)

fuzz: $(STAMP)  ## give every reader of strangers' files a minute of a fuzzer's input; ARGS='page --minutes 9' chooses
	@$(BIN)/python -c 'import atheris' 2>/dev/null || $(BIN)/python -m pip install --quiet \
	  "$$(sed -n 's/.*"\(atheris==[0-9.]*\);.*/\1/p' pyproject.toml)" || exit $$?; \
	$(BIN)/python -m tests.fuzzing $(ARGS)

serve: $(STAMP)  ## serve the site and rebuild it on a change of snippet, run or page
	@$(BIN)/benchbook serve $(ARGS)

bench: $(STAMP)  ## measure benchbook itself: medians, spread and ratio of each
	@$(BIN)/python scripts/benchmarks $(ARGS)

audit: $(STAMP)  ## look at the built site with a real browser, Lighthouse and the Nu HTML checker
	@$(BIN)/python scripts/audit $(ARGS)

lock: $(STAMP)  ## bring requirements.txt up to date with pyproject.toml; ARGS=--upgrade for newer versions
	@echo 'setuptools>=77' | $(BIN)/uv pip compile pyproject.toml - --quiet --universal --python-version 3.12 \
	  --extra test --generate-hashes --no-emit-index-url --custom-compile-command 'make lock' \
	  --output-file requirements.txt $(ARGS)

clean:  ## remove the environment and all that is derived; runs are kept
	@rm -rf .venv site docs/assets/site.css docs/bench.* docs/figures docs/llms.txt docs/notebooks docs/robots.txt docs/schema docs/snippets .benchbook/fragments .benchbook/manifest.json \
	  .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@if [ -d docs/runs ]; then find docs/runs -name index.md -exec rm {} +; fi

# The stamp holds the folder: an environment does not survive being moved or copied, so it is made anew there.
ifneq ($(shell cat $(STAMP) 2>/dev/null),$(CURDIR))
$(STAMP): moved
endif
ifneq ($(shell $(BIN)/python -c 'print("works")' 2>/dev/null),works)
$(STAMP): moved
endif

$(STAMP): requirements.txt pyproject.toml
	@found=; for python in $(PYTHONS); do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then found=$$python; break; fi; \
	done; \
	if [ -z "$$found" ]; then \
	  echo 'This needs Python 3.12 or newer, and $(PYTHONS) is not one: install it, or say where it is with PYTHON=...'; \
	  exit 1; \
	fi; \
	if ! "$$found" -c 'import venv, ensurepip' 2>/dev/null; then \
	  echo "$$found has no venv module: install it (apt install python3-venv, where there is apt), then run this again."; \
	  exit 1; \
	fi; \
	if [ "$$(cat $@ 2>/dev/null)" != '$(CURDIR)' ] || ! $(BIN)/python -c '' 2>/dev/null; then \
	  rm -rf .venv; \
	  echo "environment: $$("$$found" --version), into .venv/"; \
	  "$$found" -m venv .venv || exit 1; \
	fi
	@echo "environment: up to $$(grep -c == requirements.txt) packages; the first time they are downloaded, which takes minutes"
	@{ $(BIN)/python -m pip install --require-hashes --requirement requirements.txt; echo $$? > .venv/status; } | awk ' \
	  /^(Collecting|Processing)/ && ++n % 20 == 0 { print "environment: " n " packages"; fflush() } \
	  /^Installing/ { print "environment: installing " n " packages"; fflush() }'; exit $$(cat .venv/status)
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@echo '$(CURDIR)' > $@

endif
