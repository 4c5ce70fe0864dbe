"""The work: requests of each kind, prepared as bytes, and the table that they need."""

import json
import random
import struct

TABLE = "bench"
KEYS = 10_000  # of items with 1 KB, all present before reads are measured
COUNTERS = 1_000
GROUPS = 500  # of 20 items with 200 bytes each, one group per partition
BATCH_SIZE = 25
TRANSACTION_SIZE = 4
REQUESTS = 2_000  # prepared of each kind; connections go round and round over them
BATCHES = 200  # of these fewer, because they are large
SEED = 20261116

CREATE_TABLE = {
    "TableName": TABLE, "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"},
                             {"AttributeName": "sk", "AttributeType": "N"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
                  {"AttributeName": "sk", "KeyType": "RANGE"}]}


def request(operation, body):
    """A whole HTTP request, with a signature that everybody accepts and nobody verifies."""
    text = json.dumps(body, separators=(",", ":"))
    return (f"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Amz-Target: DynamoDB_20120810.{operation}\r\n"
            "Content-Type: application/x-amz-json-1.0\r\nX-Amz-Date: 20261116T000000Z\r\n"
            "Authorization: AWS4-HMAC-SHA256 Credential=bench/20261116/us-east-1/dynamodb/"
            "aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=0123456789abcdef"
            "0123456789abcdef0123456789abcdef0123456789abcdef\r\n"
            f"Content-Length: {len(text)}\r\n\r\n{text}").encode()


def text_of(chance, size):
    return "".join(chance.choices("abcdefghijklmnopqrstuvwxyz0123456789", k=size))


def large_item(chance, number):
    """About 1 KB in DynamoDB's count."""
    return {"pk": {"S": f"item{number}"}, "sk": {"N": "0"}, "n": {"N": str(number)},
            "a": {"S": text_of(chance, 480)}, "b": {"S": text_of(chance, 480)}}


def small_item(chance, group, number):
    """About 200 bytes."""
    return {"pk": {"S": f"group{group}"}, "sk": {"N": str(number)}, "n": {"N": str(number)},
            "a": {"S": text_of(chance, 170)}}


def key_of(number):
    return {"pk": {"S": f"item{number}"}, "sk": {"N": "0"}}


def batches(items):
    for begin in range(0, len(items), BATCH_SIZE):
        puts = [{"PutRequest": {"Item": item}} for item in items[begin:begin + BATCH_SIZE]]
        yield request("BatchWriteItem", {"RequestItems": {TABLE: puts}})


def filling():
    """What must be in the table before the reads."""
    chance = random.Random(SEED)
    items = [large_item(chance, number) for number in range(KEYS)]
    items += [small_item(chance, group, number) for group in range(GROUPS) for number in range(20)]
    return list(batches(items))


def many_items(count):
    """`count` items of 1 KB, to see what they take in memory."""
    chance = random.Random(SEED)
    return list(batches([large_item(chance, number) for number in range(count)]))


def get_item(chance, _):
    return request("GetItem", {"TableName": TABLE, "Key": key_of(chance.randrange(KEYS)),
                               "ConsistentRead": True})


def put_item(chance, _):
    item = large_item(chance, chance.randrange(KEYS))
    return request("PutItem", {"TableName": TABLE, "Item": item})


def update_item(chance, _):
    key = {"pk": {"S": f"counter{chance.randrange(COUNTERS)}"}, "sk": {"N": "0"}}
    return request("UpdateItem", {
        "TableName": TABLE, "Key": key, "UpdateExpression": "ADD visits :one",
        "ExpressionAttributeValues": {":one": {"N": "1"}}, "ReturnValues": "UPDATED_NEW"})


def query(chance, _):
    return request("Query", {
        "TableName": TABLE, "KeyConditionExpression": "pk = :pk", "ConsistentRead": True,
        "ExpressionAttributeValues": {":pk": {"S": f"group{chance.randrange(GROUPS)}"}}})


def transact_write_items(chance, index):
    # No two have an item in common: what is measured is the work, not the conflicts.
    numbers = range(index * TRANSACTION_SIZE, (index + 1) * TRANSACTION_SIZE)
    items = [{**key_of(number), "a": {"S": text_of(chance, 200)}} for number in numbers]
    puts = [{"Put": {"TableName": TABLE, "Item": item}} for item in items]
    return request("TransactWriteItems", {"TransactItems": puts})


def batch_write_item(chance, _):
    numbers = chance.sample(range(KEYS), BATCH_SIZE)
    puts = [{"PutRequest": {"Item": large_item(chance, number)}} for number in numbers]
    return request("BatchWriteItem", {"RequestItems": {TABLE: puts}})


# The request of each kind with an index. Transactions come last: they leave smaller items behind.
WORKS = {
    "GetItem": get_item,
    "Query": query,
    "PutItem": put_item,
    "UpdateItem": update_item,
    "BatchWriteItem": batch_write_item,
    "TransactWriteItems": transact_write_items,
}
WRITES = {"PutItem", "UpdateItem", "BatchWriteItem", "TransactWriteItems"}
LABELS = {
    "GetItem": "GetItem, 1 KB",
    "Query": "Query of 20 × 200 bytes",
    "PutItem": "PutItem, 1 KB",
    "UpdateItem": "UpdateItem, a counter",
    "BatchWriteItem": "BatchWriteItem of 25 × 1 KB",
    "TransactWriteItems": "TransactWriteItems of 4",
}


def prepared(work):
    chance = random.Random(f"{SEED} {work}")
    count = BATCHES if work == "BatchWriteItem" else REQUESTS
    return [WORKS[work](chance, index) for index in range(count)]


def write_file(path, requests):
    """In the form that http_load reads."""
    with open(path, "wb") as file:
        for each in requests:
            file.write(struct.pack("<I", len(each)) + each)
