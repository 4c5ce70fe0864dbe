// Amazon's Signature Version 4, made in the browser. The secret is used once, for the keys of a few
// days, and forgotten; these stay in this tab (sessionStorage) and are worth nothing elsewhere.

import { fromHex, hex, hmac, sha256 } from "./sha256.ts";

const SERVICE = "dynamodb";
const DAYS = 3;

export interface Signer {
  accessKeyId: string;
  region: string;
  keys: { [day: string]: string }; // hex, by "20261116"
}

export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10).replaceAll("-", "");
}

export function signingKey(secret: string, day: string, region: string): string {
  const first = hmac(new TextEncoder().encode("AWS4" + secret), day);
  return hex(hmac(hmac(hmac(first, region), SERVICE), "aws4_request"));
}

export function makeSigner(accessKeyId: string, secret: string, region: string, now: number): Signer {
  const days = Array.from({ length: DAYS }, (_, index) => dayOf(now + index * 86_400_000));
  return {
    accessKeyId,
    region,
    keys: Object.fromEntries(days.map((day) => [day, signingKey(secret, day, region)])),
  };
}

export interface Signable {
  method: string;
  path: string;
  query: string; // "after=5", encoded
  host: string;
  target: string | null;
  body: string;
}

// The header lines to send besides; null when the keys are too old.
export function sign(signer: Signer, request: Signable, now: number): { [name: string]: string } | null {
  const day = dayOf(now);
  const key = signer.keys[day];
  if (key === undefined) return null;
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, "");
  const fields: [string, string][] = [["host", request.host], ["x-amz-date", stamp]];
  if (request.target !== null) fields.push(["x-amz-target", request.target]);
  const names = fields.map(([name]) => name).join(";");
  const encode = (text: string) => new TextEncoder().encode(text);
  const canonical = [
    request.method, request.path, request.query, ...fields.map(([name, value]) => `${name}:${value}`), "", names,
    hex(sha256(encode(request.body))),
  ].join("\n");
  const scope = `${day}/${signer.region}/${SERVICE}/aws4_request`;
  const toSign = `AWS4-HMAC-SHA256\n${stamp}\n${scope}\n${hex(sha256(encode(canonical)))}`;
  const signature = hex(hmac(fromHex(key), toSign));
  return {
    "X-Amz-Date": stamp,
    Authorization: `AWS4-HMAC-SHA256 Credential=${signer.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}
