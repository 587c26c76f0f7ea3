#!/bin/sh
# Calls rustc for the crates of the workspace (RUSTC_WORKSPACE_WRAPPER) so that they count which code runs. The flags are
# stable, and are those of cargo-fuzz without a sanitizer. Dependencies are shared with other builds. Build scripts run on
# their own, without the fuzzer that reads the counters.
case " $* " in
*" --crate-name build_script_"* | *"proc-macro"*) exec "$@" ;;
esac
exec "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
  -Cllvm-args=-sanitizer-coverage-trace-compares
