"""Streams: what is recorded for every kind of change, iterators, and what is refused."""

from corpus.tables import EVERYTHING, SIMPLE, create, n, put, s, schema
from exchange import Request
from scene import Scene, Seen, Unseen, one_by_one

KINDS = ["KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"]


def streamed(kind):
    return create("streamed", schema("pk"), {"pk": "S"},
                  StreamSpecification={"StreamEnabled": True, "StreamViewType": kind})


def update(text, pk="a", **values):
    body = {"TableName": "streamed", "Key": {"pk": s(pk)}, "UpdateExpression": text}
    if values:
        body["ExpressionAttributeValues"] = {f":{name}": value for name, value in values.items()}
    return Request("UpdateItem", body)


def delete(pk="a", **more):
    return Request("DeleteItem", {"TableName": "streamed", "Key": {"pk": s(pk)}, **more})


CHANGES = {
    "put": [put("streamed", pk=s("a"), **EVERYTHING)],
    "put_over": [put("streamed", pk=s("a"), v=n(1)), put("streamed", pk=s("a"), v=n(2))],
    "put_same": [put("streamed", pk=s("a"), v=n(1)), put("streamed", pk=s("a"), v=n(1))],
    "update": [update("SET v = :v", v=n(1)), update("SET v = :v", v=n(2)), update("REMOVE v"),
               update("REMOVE v")],
    "update_same": [put("streamed", pk=s("a"), v=n(1)), update("SET v = :v", v=n(1)),
                    update("ADD strs :v", v={"SS": ["x"]})],
    "delete": [put("streamed", pk=s("a"), v=n(1)), delete(), delete()],
    "refused": [put("streamed", pk=s("a")), delete(ConditionExpression="attribute_not_exists(pk)")],
    "batch": [Request("BatchWriteItem", {"RequestItems": {"streamed": [
        {"PutRequest": {"Item": {"pk": s("b"), "v": n(1)}}},
        {"DeleteRequest": {"Key": {"pk": s("nobody")}}}]}})],
    "transaction": [Request("TransactWriteItems", {"TransactItems": [
        {"Put": {"TableName": "streamed", "Item": {"pk": s("c")}}},
        {"Update": {"TableName": "streamed", "Key": {"pk": s("d")},
                    "UpdateExpression": "SET v = :v",
                    "ExpressionAttributeValues": {":v": n(1)}}}]})],
}


def recorded(kind, requests):
    """Makes the changes in a table of its own and reads what was recorded."""
    def act():
        yield Unseen(Request("DeleteTable", {"TableName": "streamed"}))
        made = yield streamed(kind)
        arn = made.get("TableDescription", "LatestStreamArn")
        for request in requests:
            yield request
        described = yield Request("DescribeStream", {"StreamArn": arn})
        shard = described.get("StreamDescription", "Shards", 0, "ShardId")
        iterator = (yield Request("GetShardIterator", {
            "StreamArn": arn, "ShardId": shard,
            "ShardIteratorType": "TRIM_HORIZON"})).get("ShardIterator")
        records = (yield Unseen(Request("GetRecords",
                                        {"ShardIterator": iterator}))).get("Records") or []
        yield Seen(f"records of {kind}",
                   sorted(records, key=lambda one: one["dynamodb"]["Keys"]["pk"]["S"]))
    return act


def positions():
    """Iterators of every kind, pages, and sequence numbers that are there or are not."""
    yield Unseen(Request("DeleteTable", {"TableName": "streamed"}))
    made = yield streamed("NEW_IMAGE")
    arn = made.get("TableDescription", "LatestStreamArn")
    for number in range(5):
        yield put("streamed", pk=s(f"p{number}"), v=n(number))
    described = yield Request("DescribeStream", {"StreamArn": arn})
    shard = described.get("StreamDescription", "Shards", 0, "ShardId")
    asked = {"StreamArn": arn, "ShardId": shard}
    iterator = (yield Request("GetShardIterator",
                              {**asked, "ShardIteratorType": "TRIM_HORIZON"})).get("ShardIterator")
    first = yield Request("GetRecords", {"ShardIterator": iterator, "Limit": 2})
    yield Request("GetRecords", {"ShardIterator": first.get("NextShardIterator")})
    yield Request("GetRecords", {"ShardIterator": iterator, "Limit": 2})
    latest = (yield Request("GetShardIterator",
                            {**asked, "ShardIteratorType": "LATEST"})).get("ShardIterator")
    yield Request("GetRecords", {"ShardIterator": latest})
    number = first.get("Records", 1, "dynamodb", "SequenceNumber")
    for kind in ("AT_SEQUENCE_NUMBER", "AFTER_SEQUENCE_NUMBER"):
        answer = yield Request("GetShardIterator",
                               {**asked, "ShardIteratorType": kind, "SequenceNumber": number})
        yield Request("GetRecords", {"ShardIterator": answer.get("ShardIterator"), "Limit": 1})
        yield Request("GetShardIterator", {**asked, "ShardIteratorType": kind})
        yield Request("GetShardIterator",
                      {**asked, "ShardIteratorType": kind, "SequenceNumber": "1"})
        yield Request("GetShardIterator",
                      {**asked, "ShardIteratorType": kind, "SequenceNumber": "x"})
    yield Request("GetShardIterator", {**asked, "ShardIteratorType": "SOME"})
    yield Request("GetShardIterator", asked)
    yield Request("GetShardIterator", {"StreamArn": arn, "ShardIteratorType": "LATEST"})
    yield Request("GetShardIterator", {**asked, "ShardId": "x", "ShardIteratorType": "LATEST"})
    yield Request("GetShardIterator",
                  {**asked, "ShardId": "shardId-00000000000000000000-00000000",
                   "ShardIteratorType": "LATEST"})
    yield Request("GetShardIterator",
                  {**asked, "ShardIteratorType": "LATEST",
                   "SequenceNumber": "123456789012345678901"})
    yield Request("GetShardIterator",
                  {**asked, "ShardIteratorType": "LATEST", "StreamArn": arn[:-1] + "x"})
    for limit in (0, 1, 1000, 1001, -1, "1"):
        yield Request("GetRecords", {"ShardIterator": iterator, "Limit": limit})
    yield Request("DescribeStream", {"StreamArn": arn, "Limit": 1})
    for more in ({"Limit": 0}, {"Limit": 101}, {"ExclusiveStartShardId": "x"},
                 {"ExclusiveStartShardId": shard}):
        yield Request("DescribeStream", {"StreamArn": arn, **more})
    yield Request("ListStreams", {"TableName": "streamed"})
    yield Request("UpdateTable",
                  {"TableName": "streamed", "StreamSpecification": {"StreamEnabled": False}})
    yield Request("DescribeStream", {"StreamArn": arn})
    yield Request("GetRecords", {"ShardIterator": iterator})


ARN = "arn:aws:dynamodb:ddblocal:000000000000:table/simple/stream/2026-01-01T00:00:00.000"
REFUSED = [
    *[Request("DescribeStream", {"StreamArn": arn}) for arn in (
        "", "x" * 36, ARN, ARN.replace("simple", "missing"), "x" * 1025, 5, None)],
    *[Request("GetShardIterator", body) for body in (
        {}, {"StreamArn": ARN}, {"StreamArn": ARN, "ShardId": "x" * 28},
        {"StreamArn": ARN, "ShardId": "x" * 28, "ShardIteratorType": "LATEST"})],
    *[Request("GetRecords", body) for body in (
        {}, {"ShardIterator": ""}, {"ShardIterator": "x"}, {"ShardIterator": "x" * 2049},
        {"ShardIterator": 5}, {"ShardIterator": "x", "Limit": 0},
        {"ShardIterator": "000000000000000000|AAAA"})],
    *[Request("ListStreams", body) for body in (
        {"TableName": "simple"}, {"TableName": "missing"}, {"TableName": "x"},
        {"TableName": "simple", "Limit": 0},
        {"TableName": "simple", "Limit": 101}, {"TableName": "simple", "Limit": 1},
        {"TableName": "simple", "ExclusiveStartStreamArn": "x"},
        {"TableName": "simple", "ExclusiveStartStreamArn": ARN})],
]

SCENES = [
    Scene("streams.records", [],
          [recorded(kind, requests) for kind in KINDS for requests in CHANGES.values()]),
    Scene("streams.positions", [], [positions]),
    Scene("streams.refused", [SIMPLE], [[request] for request in REFUSED]),
]
