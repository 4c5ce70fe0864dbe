"""A request as bytes on the wire, and what an endpoint answered to it.

Requests are made by hand, not by an SDK: most of the corpus is what an SDK would refuse to send.
"""

import dataclasses
import http.client
import json
import urllib.parse
import zlib

SECONDS_MAX = 60
STREAMS_OPERATIONS = {"DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"}
HEADERS = {
    "Content-Type": "application/x-amz-json-1.0",
    "Accept-Encoding": "identity",
    "X-Amz-Date": "20260101T000000Z",
    "Authorization": "AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, "
                     "SignedHeaders=host, Signature=0",
}


@dataclasses.dataclass
class Request:
    """`body` is a dict, or text that is sent as it is. A header that is None is not sent."""

    operation: str
    body: object
    headers: dict = dataclasses.field(default_factory=dict)

    def text(self):
        if isinstance(self.body, str):
            return self.body
        return json.dumps(self.body, ensure_ascii=False, separators=(",", ":"))

    def target(self):
        service = "DynamoDBStreams" if self.operation in STREAMS_OPERATIONS else "DynamoDB"
        return f"{service}_20120810.{self.operation}"

    def sent_headers(self):
        headers = {**HEADERS, "X-Amz-Target": self.target(), **self.headers}
        return {name: value for name, value in headers.items() if value is not None}


@dataclasses.dataclass
class Answer:
    status: int
    body: object  # What the JSON says; text when it is none.

    def get(self, *path):
        """What stands at a path of the body; None when it is not there."""
        found = self.body
        for step in path:
            try:
                found = found[step]
            except (KeyError, IndexError, TypeError):
                return None
        return found

    def outcome(self):
        """One line: the status, and the name and the message of an error."""
        if not isinstance(self.body, dict):
            return f"{self.status} {self.body!r}"
        if self.status == 200:
            return "200"
        message = self.body.get("message", self.body.get("Message"))
        name = self.body.get("__type", "no __type").rpartition("#")[2]
        return f"{self.status} {name}" + ("" if message is None else f": {message}")


class Endpoint:
    """One connection to one server."""

    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        self._connection = http.client.HTTPConnection(parts.hostname, parts.port,
                                                      timeout=SECONDS_MAX)

    def send(self, request):
        try:
            self._connection.request("POST", "/", request.text().encode(errors="surrogatepass"),
                                     request.sent_headers())
            response = self._connection.getresponse()
            body = response.read()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            return Answer(0, f"no answer: {type(error).__name__}")
        checksum = response.getheader("x-amz-crc32")
        if checksum is not None and int(checksum) != zlib.crc32(body):
            return Answer(response.status, "x-amz-crc32 is not that of the body")
        try:
            return Answer(response.status, json.loads(body))
        except ValueError:
            return Answer(response.status, body.decode(errors="replace"))

    def close(self):
        self._connection.close()
