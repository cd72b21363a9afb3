#!/bin/bash
# Files what apps.sh recorded: outputs into tests/apps/expected, facts into tests/vectors/h200.
#
#   scripts/record/store.sh RECORDING
#
# What is the same under all three toolkits is one file, NAME.txt; otherwise there is one
# a toolkit, NAME.TOOLKIT.txt. A run's stderr, if any, is RUN.stderr.txt.
set -euo pipefail

recording=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
expected=tests/apps/expected facts=tests/vectors/h200

# store FROM FILE TO: FROM/TOOLKIT/FILE as TO.txt where the three agree, else as
# TO.TOOLKIT.txt; nothing where all are empty.
store() {
	if cmp -s "$1/11.8/$2" "$1/12.4/$2" && cmp -s "$1/12.4/$2" "$1/13.0/$2"; then
		[ ! -s "$1/13.0/$2" ] || cp "$1/13.0/$2" "$3.txt"
		return
	fi
	for v in 11.8 12.4 13.0; do cp "$1/$v/$2" "$3.$v.txt"; done
}

rm -rf "$expected" "$facts"
mkdir -p "$expected" "$facts"
for file in "$recording"/apps/13.0/*.out; do
	name=$(basename "$file" .out)
	store "$recording/apps" "$name.out" "$expected/$name"
	store "$recording/apps" "$name.err" "$expected/$name.stderr"
	for v in 11.8 12.4 13.0; do
		printf '%s %s %s\n' "$v" "$name" "$(cat "$recording/apps/$v/$name.status")"
	done
done | sort >"$expected/status"
for file in "$recording"/facts/13.0/*.txt; do
	store "$recording/facts" "$(basename "$file")" "$facts/$(basename "$file" .txt)"
done

card=$(head -1 "$recording/card.txt") date=$(tail -1 "$recording/card.txt")
cat >"$expected/README" <<README
What the programs of tests/apps print on a real card, byte for byte.

card, driver, memory: $card
date: $date
built by: nvcc 11.8.89, 12.4.131, 13.0.88 (tests/apps/manifest.txt), run with each
toolkit's own libcudart; the driver compiled the PTX.

RUN.txt is stdout under all three toolkits, RUN.TOOLKIT.txt under one where they differ;
RUN.stderr.txt is stderr, where there was any; status lists toolkit, run, exit status.
Recorded by scripts/record/apps.sh, filed by scripts/record/store.sh.
README
cat >"$facts/README" <<README
What a card says of itself through the runtime: scripts/record/facts.cu built by nvcc
11.8.89, 12.4.131 and 13.0.88 for sm_90 and run there. SUBJECT.txt where the three agree,
SUBJECT.TOOLKIT.txt where they differ.

card, driver, memory: $card
date: $date
README
