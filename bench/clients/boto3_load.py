"""What client_load.cc does, with boto3's client: boto3_load.py URL OPERATION SECONDS."""

import json
import resource
import sys
import time

import boto3


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main():
    url, operation, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    client = boto3.client("dynamodb", endpoint_url=url, region_name="us-east-1",
                          aws_access_key_id="any", aws_secret_access_key="any")
    data = "x" * 1000
    calls = {
        "GetItem": lambda: client.get_item(TableName="bench", Key={"pk": {"S": "read"}}),
        "PutItem": lambda: client.put_item(
            TableName="bench", Item={"pk": {"S": "written"}, "data": {"S": data}}),
        "UpdateItem": lambda: client.update_item(
            TableName="bench", Key={"pk": {"S": "counted"}}, UpdateExpression="ADD #n :one",
            ExpressionAttributeNames={"#n": "n"}, ExpressionAttributeValues={":one": {"N": "1"}}),
    }
    call = calls[operation]
    call()
    count = 0
    cpu = cpu_seconds()
    start = time.monotonic()
    while time.monotonic() - start < seconds:
        call()
        count += 1
    print(json.dumps({"calls": count, "seconds": time.monotonic() - start,
                      "cpu_seconds": cpu_seconds() - cpu}))


main()
