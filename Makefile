# Every command of the project. `make help` lists them; CI calls the same ones.

PYTHON ?= python3
BIN := .venv/bin
# Options for the tool behind a verb: make test ARGS="-k tapa"; make terminal GAME=tapa
ARGS ?=
GAME ?=
GAMES ?=
POSITIONS ?=

# One name for one compiler in all builds: ccache goes by it.
ifeq ($(origin CXX),default)
CXX := c++
endif
export CXX

# Trainers pause while this runs something.
QUIET := $(BIN)/python src/sheshbesh/training/quiet.py

# Where Python's module is built, and on the same core its tests.
CORE = $(firstword $(shell ls -td build/cp*/ 2>/dev/null))
SANITIZE := build/sanitize
LINT := build/lint
WEB := tools/web
STUBS := src/sheshbesh/_core.pyi
PY_CODE = $(wildcard src tests tools benchmarks examples fuzz)
CPP_CODE = $(wildcard cpp/include/sheshbesh/*.h cpp/include/sheshbesh/*/*.h cpp/src/*.cpp cpp/src/*.h \
	cpp/src/*/*.cpp cpp/src/*/*.h cpp/bindings/*.cpp cpp/bindings/*.h cpp/wasm/*.cpp cpp/tests/*.cpp cpp/tests/*.h \
	cpp/tests/*/*.cpp cpp/tests/*/*.h)

# Independent checks run in parallel, unless the caller has set -j. Versions of make without --output-sync (3.81 of
# macOS) would mix up the output, so there they run one after the other.
SIDE_BY_SIDE = $(if $(filter output-sync,$(.FEATURES)),$(if $(findstring -j,$(MAKEFLAGS)),,\
	--jobs=2 --output-sync=target))

CMAKE_CORE = $(BIN)/cmake -S . -G Ninja "-DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(BIN)/ninja" \
	-DSHESHBESH_WERROR=$(if $(CI),ON,OFF)

# For its list of sources alone: nothing is compiled in it.
CMAKE_LINT = $(CMAKE_CORE) -B $(LINT) -DSHESHBESH_PYTHON=ON "-DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python"

CTEST = $(BIN)/ctest --output-on-failure --no-tests=error --parallel $(shell nproc 2>/dev/null || echo 2)

.DEFAULT_GOAL := help
.PHONY: help play terminal shots test setup check bench soak coverage docs words train pack look format stubs constraints hooks clean \
	wasm install-play install-peers install-soak install-wasm \
	install-web install check-python check-types check-cpp check-stubs check-wasm check-web build-core build-sanitize \
	test-core test-sanitize test-python test-web release test-arm

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: install-play  ## Set everything up and start the site on http://127.0.0.1:8000
	@$(BIN)/sheshbesh serve $(ARGS)

terminal: install-play  ## Set everything up and start a game in the terminal (GAME=tapa)
	@$(BIN)/sheshbesh play $(GAME) $(ARGS)

test: test-core test-sanitize test-web test-python  ## Set everything up and run every test

setup:  ## Make .venv: the package, editable, and the tools to develop it
	@PYTHON=$(PYTHON) tools/system_packages.sh test
	@$(PYTHON) tools/setup_venv.py dev

check: setup install-web  ## Look at the code: style, types, layers, lint, stubs
	@$(MAKE) --no-print-directory $(SIDE_BY_SIDE) check-types check-python check-cpp check-stubs check-wasm check-web

bench: install-peers  ## Measure speed of rules and engine (ARGS="-k tavla" for the pytest part)
	$(QUIET) $(BIN)/pytest benchmarks --benchmark-only $(ARGS)
	$(QUIET) $(BIN)/sheshbesh bench

soak: install-peers install-web install-soak install-wasm  ## Test at length (GAMES="tapa tavla" POSITIONS=1000000 SEED=1 MUTANTS=200)
	$(QUIET) $(BIN)/pytest -n auto --dist worksteal -m "soak or hypothesis" --hypothesis-profile=soak \
		$(if $(SEED),--hypothesis-seed=$(SEED))
	@$(CMAKE_LINT) -DCMAKE_UNITY_BUILD=OFF >/dev/null
	$(QUIET) $(BIN)/python tools/clang_tidy.py $(LINT)
	$(QUIET) $(BIN)/python tools/mutants.py $(if $(SEED),--seed $(SEED)) $(if $(MUTANTS),--count $(MUTANTS))
	$(QUIET) $(BIN)/python -m tests.reference.soak $(if $(GAMES),--games $(GAMES)) \
		$(if $(POSITIONS),--positions $(POSITIONS)) $(ARGS)
	$(QUIET) $(BIN)/python -m tests.session_machine --actions 100000
	$(QUIET) $(BIN)/python -m tests.server.soak $(if $(KILLS),--kills $(KILLS))
	$(QUIET) $(BIN)/python -m tests.records.fuzz $(if $(SAMPLES),--files $(SAMPLES))
	$(QUIET) $(BIN)/python -m tests.records.soak $(if $(SAMPLES),--files $(SAMPLES))
	$(QUIET) $(BIN)/python -m tests.reviews.audit $(if $(SAMPLES),--files $(SAMPLES))
	$(QUIET) $(BIN)/python -m tests.web.soak $(if $(GAMES),--games $(GAMES))

coverage: install-peers install-web  ## List the lines of Python that no test runs (ARGS=tests/server)
	$(BIN)/pytest -n auto --cov --cov-report=term --cov-report=html:build/coverage $(ARGS)

docs: setup  ## Build the documentation into site/
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

words: setup  ## Bring the catalogues of all languages up to the program's texts
	$(BIN)/python tools/messages.py $(ARGS)

look: setup  ## Write the page's measures and colours from their data
	$(BIN)/python tools/look.py

format: install-web  ## Lay the code out and fix what can be fixed by itself
	$(BIN)/ruff check --fix-only $(PY_CODE)
	$(BIN)/ruff format $(PY_CODE)
	$(BIN)/clang-format -i $(CPP_CODE)
	$(WEB)/node_modules/.bin/biome check --write

pack: install-web  ## Bundle and minify the page, as a release serves it (make clean removes that)
	@node $(WEB)/pack.mjs src/sheshbesh/web \
		"$$($(BIN)/python -c 'from sheshbesh.server.http.static import build; print(build())')"

# What is published, made and looked at; nothing is uploaded.
release: pack  ## Make the source archive, this machine's wheel and the documentation (ARGS=--dirty)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python tools/release.py $(ARGS)

# Needs g++-aarch64-linux-gnu and qemu-user-static; not in CI. The tests take five times as long as on a machine.
test-arm: setup  ## The tests of the core, compiled for ARM64 and run by qemu
	@command -v aarch64-linux-gnu-g++ qemu-aarch64-static >/dev/null || { \
		echo "This verb needs g++-aarch64-linux-gnu and qemu-user-static"; exit 1; }
	@$(CMAKE_CORE) -B build/arm64 -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
		-DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_EXE_LINKER_FLAGS=-static -DSHESHBESH_WERROR=ON \
		-DCMAKE_CROSSCOMPILING_EMULATOR="$$(command -v qemu-aarch64-static)" >/dev/null
	@MAKEFLAGS= $(BIN)/cmake --build build/arm64
	$(BIN)/ctest --test-dir build/arm64 --output-on-failure --no-tests=error

wasm: install-wasm  ## Build the core for browsers (WebAssembly) and the rules that it reads
	$(BIN)/python tools/wasm.py

stubs: setup  ## Write the stubs of the compiled module anew
	@MAKEFLAGS= $(BIN)/python -m nanobind.stubgen -q -m sheshbesh._core -o $(STUBS)

constraints:  ## Resolve constraints.txt anew; what is pinned stays (ARGS=--upgrade: to the newest versions)
	@command -v uv >/dev/null || { echo "This verb alone needs uv: pip install uv"; exit 1; }
	$(PYTHON) tools/pins.py $(ARGS)

hooks: setup  ## Run the quick checks at every commit
	$(BIN)/prek install

clean:  ## Remove everything that make made
	rm -rf .venv build dist site .benchmarks .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache \
		src/sheshbesh/web/packed

install-play:
	@PYTHON=$(PYTHON) tools/system_packages.sh play
	@$(PYTHON) tools/setup_venv.py play

# A proxy, and what checks units of systemd.
install-soak:
	@tools/system_packages.sh soak

# A compiler of 440 MB, for who changes the core: the modules that it makes are committed.
install-wasm: setup
	@$(PYTHON) tools/setup_venv.py wasm

# The peers have no packages for some systems. Tests against them are then skipped, but not in CI.
install-peers: setup
	@$(PYTHON) tools/setup_venv.py peers || { \
		[ -z "$(CI)" ] && echo "Going on without the programs that others wrote."; }

# TypeScript, Biome, axe and what the page's vendored modules are made with: exact versions, in a folder of its own.
install-web: setup
	@[ $(WEB)/node_modules/stamp -nt $(WEB)/package.json ] || { echo "Installing packages: web" && \
		cd $(WEB) && npm install --silent --no-package-lock --no-audit --no-fund && touch node_modules/stamp; }

check-types: setup install-web  ## Types of the Python code
	$(BIN)/mypy $(PY_CODE)
	$(WEB)/node_modules/.bin/pyright

check-python: setup  ## Style and layers of the Python code, spelling of all
	$(BIN)/codespell
	$(BIN)/ruff format --check $(PY_CODE)
	$(BIN)/ruff check $(PY_CODE)
	$(BIN)/lint-imports --no-logo

check-cpp: setup  ## Style and lint of the C++ code
	$(BIN)/clang-format --dry-run -Werror $(CPP_CODE)
	@$(CMAKE_LINT) -DCMAKE_UNITY_BUILD=ON >/dev/null
	$(BIN)/python tools/clang_tidy.py $(LINT) '--checks=-clang-analyzer-*'

check-stubs: setup  ## Whether the stubs of the compiled module are those of the build
	@MAKEFLAGS= $(BIN)/python -m nanobind.stubgen -q -m sheshbesh._core -o build/_core.pyi
	@diff -u $(STUBS) build/_core.pyi || { echo "The stubs are out of date: make stubs"; exit 1; }

# No linter counts columns in templates, comments and style sheets.
check-web: install-web  ## Style, lint and types of the page's code
	@find src/sheshbesh/web -name '*.js' -o -name '*.css' | grep -vE '/(vendor|packed)/' | xargs awk \
		'length > 120 { print FILENAME ":" FNR ": longer than 120 columns"; long = 1 } END { exit long }'
	$(WEB)/node_modules/.bin/biome ci --error-on-warnings
	$(WEB)/node_modules/.bin/tsc --project $(WEB)/tsconfig.json
	node $(WEB)/workflows.mjs
	$(BIN)/python tools/look.py --check

check-wasm: setup  ## Whether the modules of the core for browsers are those of its sources
	$(BIN)/python tools/wasm.py --check

shots: setup  ## Take screenshots of the views into build/shots (ARGS="home lobby --whole")
	@$(BIN)/python tools/shots.py $(ARGS)

# Everything that the checks and tests need from elsewhere.
install: train install-web install-peers

build-core: setup
	@MAKEFLAGS= $(BIN)/cmake --build $(CORE) --target core_tests

build-sanitize: setup
	@$(CMAKE_CORE) -B $(SANITIZE) -DSHESHBESH_SANITIZE=ON -DCMAKE_UNITY_BUILD=ON >/dev/null
	@MAKEFLAGS= $(BIN)/cmake --build $(SANITIZE)

test-core: build-core  ## The tests of the C++ core
	$(QUIET) $(CTEST) --test-dir $(CORE)

test-sanitize: build-sanitize  ## The same with AddressSanitizer and UndefinedBehaviorSanitizer
	$(QUIET) $(CTEST) --test-dir $(SANITIZE)

train: setup  ## Install what training needs; then: .venv/bin/sheshbesh train GAME
	@$(PYTHON) tools/setup_venv.py train

test-web: install-web  ## The tests of the page's modules, without a browser
	$(QUIET) node --test --test-reporter=dot $(shell find tests/web -name '*.test.js' | sort)

# With `make -j test` the core's tests are built in the tree that an import looks at.
test-python: install-peers install-web $(if $(filter test,$(MAKECMDGOALS)),build-core)  ## The tests through Python (ARGS="-k tapa")
	$(QUIET) $(BIN)/pytest -n auto --dist worksteal --junitxml=build/junit.xml $(ARGS); ended=$$?; \
		$(BIN)/python -m tests.budget build/junit.xml; exit $$ended
