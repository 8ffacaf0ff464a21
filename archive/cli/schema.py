"""`schafkopf schema`: the JSON Schema of the record format."""

import json

import click

from archive.cli.options import in_utf8
from archive.notation import json_schema as record_schema


@click.command()
def schema() -> None:
    """Print the JSON Schema of the record format, for editors that complete and check records."""
    click.echo(in_utf8(json.dumps(record_schema(), indent=2, ensure_ascii=False).encode()))
