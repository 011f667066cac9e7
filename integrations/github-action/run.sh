#!/bin/bash
# Of the action: its inputs come as variables, so that none of them is read as a part of this script.
set -u
args=(run "$INPUT_TEST" --wait --junit carillon.xml --html carillon.html --markdown carillon.md)
args+=(--label "commit=${GITHUB_SHA:-unknown}" --label "branch=${GITHUB_REF_NAME:-unknown}")
while IFS= read -r limit; do
  if [ -n "${limit//[[:space:]]/}" ]; then args+=(--threshold "$limit"); fi
done <<<"$INPUT_THRESHOLDS"
npx --yes "$INPUT_PACKAGE" "${args[@]}"
code=$?
if [ -f carillon.md ]; then cat carillon.md >>"${GITHUB_STEP_SUMMARY:-/dev/null}"; fi
echo "exit-code=$code" >>"${GITHUB_OUTPUT:-/dev/null}"
exit "$code"
