#!/usr/bin/env bash
# taplo (TOML in editors) and a JSON Schema whose top is `anyOf`: one wrong value in a file is reported for the file as a
# whole and again for each key and value of it, and never at the value. The same two shapes behind `if`, `then`, `else`
# give one error, at the value. A guess from JSON Schema alone would be that both name the value.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @taplo/cli@0.7.0 >/dev/null 2>&1

cat >wrong.toml <<'TOML'
format = "one"
place = "here"
[[deal]]
dealer = 7
TOML
shapes='"$defs": {
  "file": {"type": "object", "required": ["deal"], "properties": {"deal": {"type": "array", "items":
    {"type": "object", "properties": {"dealer": {"type": "string"}}}}}},
  "line": {"type": "object", "required": ["dealer"]}}'
echo "{\"anyOf\": [{\"\$ref\": \"#/\$defs/file\"}, {\"\$ref\": \"#/\$defs/line\"}], $shapes}" >any.json
echo "{\"if\": {\"required\": [\"deal\"]}, \"then\": {\"\$ref\": \"#/\$defs/file\"}, \"else\": {\"\$ref\": \"#/\$defs/line\"}, $shapes}" >if.json

lint() { npx taplo lint --schema "file://$folder/$1.json" wrong.toml 2>&1 || true; }
errors() { grep -c '^error' || true; }
any=$(lint any | errors)
chosen=$(lint if | errors)
at_value=$(lint if | grep -c 'wrong.toml:4:10' || true)
echo "taplo $(npx taplo --version | tr -dc '0-9.')"
echo "anyOf: $any errors for one wrong value, none of them alone at it"
echo "if, then, else: $chosen error, at line 4, column 10: $at_value"
[ "$any" -gt 3 ] && [ "$chosen" = 1 ] && [ "$at_value" = 1 ]
