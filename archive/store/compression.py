"""Texts compressed and restored, byte for byte: sources by zlib, records by phrases, or by raw deflate with a
dictionary.

A record repeats the words of the format and the head of its session. `record_codec.py` knows both, and the cards: a
record of some 750 bytes takes 90. What it cannot pack is deflated: the compressor gets the words below and
`sessions.head` as its dictionary, for some 200 bytes.
"""

import zlib

from archive.store import record_codec

# Part of the file format: what was packed with these words can be unpacked with no others. Never edit them.
WORDS = (
    b'"inferred":["house.price."],"correction":[{"by":"","when":"","why":"","set":{}}],"ruling":[{"payments":[]}],'
    b'"exchange":["blind > "],"events":["@deal "],"sits_out":[],"round":["bock"],"held":["'
    b"EA EZ EK EO EU E9 E8 E7 GA GZ GK GO GU G9 G8 G7 HA HZ HK HO HU H9 H8 H7 SA SZ SK SO SU S9 S8 S7"
    b'{"format":"schafkopf-record/1","event":"","date":"20","place":"","recorder":"","unit":"ct","rules":"bavarian",'
    b'"house":{"contracts":["rufspiel","wenz","farbwenz","geier","farbgeier","solo","sie","bettel","ramsch"],"deck":32,'
    b'"tariff":"10/20/50","knock":"anyone"},"players":["","","",""],"head":{"table":"","origin":""},"no":1,"id":"",'
    b'"dealer":"","hands":["EO GO HO SO","EU GU HU SU","EA EZ EK E9 E8 E7","GA GZ GK","HA HZ HK","SA SZ SK"],'
    b'"knocks":0,"auction":["pass","play"],"game":"solo E","game":"wenz","game":"ramsch","game":" rufspiel E",'
    b'"doubles":["@1.1 kontra"," re"],"doubles":0,"tricks":[": EO",": HO",": SO"],"stated":{"points":,'
    b'"points_against":,"won":false,"partner":"","loser":"","won":true,"schneider":true,"schwarz":false,"runners":3,'
    b'"steps":["base ","schneider ","runners "],"price":2,"payments":[10,-10,10,-10],"totals":[0,-0,10,-20],"stock":0,'
    b'"result":""}}'
)
RAW_DEFLATE = -15


def pack_record(line: bytes, head: str) -> bytes:
    packed = record_codec.pack_line(line, head)
    if packed is not None and record_codec.unpack_line(packed, head) == line:
        return packed
    packer = zlib.compressobj(6, zlib.DEFLATED, RAW_DEFLATE, 9, zlib.Z_DEFAULT_STRATEGY, WORDS + head.encode())
    return packer.compress(line) + packer.flush()


def unpack_record(packed: bytes, head: str) -> bytes:
    if record_codec.is_packed(packed):
        return record_codec.unpack_line(packed, head)
    return zlib.decompressobj(RAW_DEFLATE, WORDS + head.encode()).decompress(packed)
