#!/bin/bash
# Of the action: its inputs come as variables, so that none of them is read as a part of this script.
set -u
refuse() {
  echo "$1" >&2
  echo "exit-code=1" >>"${GITHUB_OUTPUT:-/dev/null}"
  exit 1
}
# Nothing is fetched by a name, which anybody could register and then read the key of the API.
file=$INPUT_PACKAGE
if [[ $file == https://* ]]; then
  if [ -z "$INPUT_SHA256" ]; then refuse "package is an address: sha256 is needed, from SHA256SUMS of the same release."; fi
  file=${RUNNER_TEMP:-/tmp}/carillon.tgz
  curl -fsSL -o "$file" "$INPUT_PACKAGE" || refuse "$INPUT_PACKAGE cannot be fetched."
fi
if [ ! -f "$file" ]; then
  refuse "package: there is no file $file. In a checkout of Carillon, npm run package -- cli makes dist/carillon-VERSION.tgz."
fi
if [ -n "$INPUT_SHA256" ] && ! echo "$INPUT_SHA256  $file" | sha256sum --check --strict --status; then
  refuse "$INPUT_PACKAGE does not have the checksum $INPUT_SHA256."
fi
args=(run "$INPUT_TEST" --wait --junit carillon.xml --html carillon.html --markdown carillon.md)
args+=(--label "commit=${GITHUB_SHA:-unknown}" --label "branch=${GITHUB_REF_NAME:-unknown}")
while IFS= read -r limit; do
  if [ -n "${limit//[[:space:]]/}" ]; then args+=(--threshold "$limit"); fi
done <<<"$INPUT_THRESHOLDS"
npx --yes --package "$(realpath "$file")" carillon "${args[@]}"
code=$?
if [ -f carillon.md ]; then cat carillon.md >>"${GITHUB_STEP_SUMMARY:-/dev/null}"; fi
echo "exit-code=$code" >>"${GITHUB_OUTPUT:-/dev/null}"
exit "$code"
