#!/usr/bin/env bash
# selectolax 1.0: `selectolax.parser`, from which its users have imported HTMLParser for years, is still a module of the
# package, and refuses to be imported with an ImportError; only `selectolax.lexbor` is left, and no module has the name
# HTMLParser any more. 0.4 has both. A guess would be a DeprecationWarning, or the old name for the new parser.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv new && new/bin/pip install --quiet selectolax==1.0.2
python3 -m venv old && old/bin/pip install --quiet selectolax==0.4.0

cat >tried.py <<'PY'
from importlib.metadata import version
from importlib.util import find_spec

there = find_spec("selectolax.parser") is not None
try:
    from selectolax.parser import HTMLParser
    said = HTMLParser("<p>a</p>").css_first("p").text()
except ImportError as error:
    said = type(error).__name__
from selectolax import lexbor

print(version("selectolax"), "| module there:", there, "| HTMLParser:", said,
      "| lexbor:", lexbor.LexborHTMLParser("<p>a</p>").css_first("p").text(),
      "| lexbor.HTMLParser:", hasattr(lexbor, "HTMLParser"))
PY
new/bin/python tried.py 2>/dev/null | tee new.txt
old/bin/python tried.py 2>/dev/null | tee old.txt
grep -q '^1.0.2 | module there: True | HTMLParser: ImportError | lexbor: a | lexbor.HTMLParser: False$' new.txt
grep -q '^0.4.0 | module there: True | HTMLParser: a | lexbor: a' old.txt
