"""Takes out of an answer what differs between two runs of the same server.

Identifiers, dates and iterators become words; what has no order is sorted. ARNs keep everything but
the label of a stream, which is a date.
"""

import re

LABEL = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}")
UUID = re.compile(r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")

DATES = {"CreationDateTime", "LastUpdateToPayPerRequestDateTime", "LastIncreaseDateTime",
         "LastDecreaseDateTime", "ApproximateCreationDateTime", "CreationRequestDateTime"}
IDENTIFIERS = {"TableId", "eventID", "ShardId", "ShardIterator", "NextShardIterator",
               "SequenceNumber", "StartingSequenceNumber", "EndingSequenceNumber",
               "LastEvaluatedShardId"}
SETS = {"SS", "NS", "BS"}
# Lists without an order, and what they are sorted by.
UNORDERED = {
    "AttributeDefinitions": "AttributeName",
    "GlobalSecondaryIndexes": "IndexName",
    "LocalSecondaryIndexes": "IndexName",
    "ConsumedCapacity": "TableName",
    "NonKeyAttributes": None,
    "Tags": "Key",
    "Streams": "TableName",
}


def shape_of(name, value):
    """What remains of a value that no two runs have in common: that it is there, and its type."""
    if name in DATES:
        return "a date" if isinstance(value, (int, float)) else f"a date as {type(value).__name__}"
    return "an id" if isinstance(value, str) and value else f"an id as {type(value).__name__}"


def text_of(text):
    return "an id" if UUID.match(text) else LABEL.sub("LABEL", text)


def order_of(value):
    """A key to sort any JSON by."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{name}:{order_of(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(order_of, value)) + "]"
    return repr(value)


def normalise(value, operation=None):
    """A copy of an answer's body. `operation` is what it answers; its items have no order in a scan
    of the whole table or a batch."""
    if isinstance(value, dict):
        return {name: member(name, value[name], operation) for name in value}
    if isinstance(value, list):
        return [normalise(element, operation) for element in value]
    if isinstance(value, str):
        return text_of(value)
    return value


def member(name, value, operation):
    if name in DATES or name in IDENTIFIERS:
        return shape_of(name, value)
    value = normalise(value, operation)
    if not isinstance(value, list):
        return value
    if name in SETS:
        return sorted(value, key=order_of)
    if name in UNORDERED and all(isinstance(element, (dict, str)) for element in value):
        by = UNORDERED[name]
        return sorted(value, key=lambda element: order_of(element.get(by)
                                                          if isinstance(element, dict)
                                                          else element))
    if (operation, name) == ("Scan", "Items"):
        return sorted(value, key=order_of)
    return value


def normalise_answer(operation, body, unordered=False):
    """`unordered`: the items that it has are in no order."""
    body = normalise(body, operation)
    if unordered and isinstance(body, dict) and isinstance(body.get("Items"), list):
        body["Items"].sort(key=order_of)
    if isinstance(body, dict) and "__type" in body and "Message" in body:
        body["message"] = body.pop("Message")
        body["key of the message"] = "Message"
    if operation == "BatchGetItem" and isinstance(body, dict):
        for table, items in (body.get("Responses") or {}).items():
            body["Responses"][table] = sorted(items, key=order_of)
    return body
