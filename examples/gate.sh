#!/bin/sh
# A gate in CI: runs a test on this host, writes reports to $REPORTS, and fails if a limit is not met.
cd "$(dirname "$0")/.." || exit 1
REPORTS=${REPORTS:-$(mktemp -d)}
npm run --silent carillon -- dev examples/test.yaml --threshold 'failures<=0' \
  --junit "$REPORTS/carillon.xml" --html "$REPORTS/carillon.html"
case $? in
0) echo 'All limits were met.' ;;
99) echo "A limit was not met: see $REPORTS/carillon.html." >&2; exit 1 ;;
3 | 98) echo 'Nothing was measured, because this host was too busy: run it again.' >&2; exit 75 ;;
*) exit 1 ;;
esac
