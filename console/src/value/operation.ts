// Names of operations on the wire.

const OF_STREAMS: readonly string[] = ["ListStreams", "DescribeStream", "GetShardIterator", "GetRecords"];

export function isOfStreams(operation: string): boolean {
  return OF_STREAMS.includes(operation);
}

export function targetOf(operation: string): string {
  return `${isOfStreams(operation) ? "DynamoDBStreams" : "DynamoDB"}_20120810.${operation}`;
}
