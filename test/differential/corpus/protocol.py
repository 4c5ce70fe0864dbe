"""Below the operations: targets, content types, text that is no JSON, JSON of the wrong shape."""

from corpus.tables import SIMPLE
from exchange import Request
from scene import Scene

GET = '{"TableName":"simple","Key":{"pk":{"S":"a"}}}'

TEXTS = [
    "", " ", "{", "}", "[]", "null", "1", '"text"', "true", "{}{}", "{} x",
    "{'TableName':'simple'}", '{"TableName":}', '{"TableName":"simple",}',
    '{"TableName":"simple" "Key":{}}', '{"TableName":"sim', '{"a":01}', '{"a":+1}', '{"a":.5}',
    '{"a":NaN}', '{"a":"\\x"}', '{"a":"\\ud800"}', '{"a":"\t"}',
    "\ufeff{}", '{"TableName":"simple","TableName":"other","Key":{"pk":{"S":"a"}}}', GET + "\n",
    "  " + GET, '{"tablename":"simple","Key":{"pk":{"S":"a"}}}',
    '{"TableName":"simple","Key":{"pk":{"s":"a"}}}',
    '{"TableName":"simple","Key":{"pk":{"S":"\\u0061"}}}', "[" * 100 + "]" * 100,
]
TARGETS = [
    None, "", "DynamoDB_20120810", "DynamoDB_20120810.", "DynamoDB_20120810.Nothing",
    "DynamoDB_20111205.GetItem", "GetItem", "dynamodb_20120810.GetItem",
    "DynamoDB_20120810.getItem", "DynamoDBStreams_20120810.GetItem",
    "DynamoDB_20120810.ListStreams", "DynamoDB_20120810.GetItem.x", ".GetItem",
]
TYPES = [None, "", "application/json", "application/x-amz-json-1.0", "application/x-amz-json-1.1",
         "application/x-amz-json-1.0; charset=utf-8", "text/plain",
         "application/xml", "application/x-www-form-urlencoded"]

SCENES = [
    Scene("protocol.texts", [SIMPLE], [[Request("GetItem", text)] for text in TEXTS]),
    Scene("protocol.targets", [SIMPLE],
          [[Request("GetItem", GET, {"X-Amz-Target": target})] for target in TARGETS]),
    Scene("protocol.content_types", [SIMPLE],
          [[Request("GetItem", GET, {"Content-Type": kind})] for kind in TYPES]),
]
