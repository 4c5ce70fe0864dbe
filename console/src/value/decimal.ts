// Sums of decimal numbers as texts, to the last digit.

const FORM = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,3}))?$/;

interface Decimal {
  digits: bigint;
  exponent: number; // of ten
}

function parse(text: string): Decimal | null {
  const [, sign = "", whole = "", part = "", exponent = "0"] = FORM.exec(text.trim()) ?? [];
  if (whole + part === "") return null;
  return { digits: BigInt(`${sign === "-" ? "-" : ""}${whole}${part}`), exponent: Number(exponent) - part.length };
}

function write({ digits, exponent }: Decimal): string {
  const isNegative = digits < 0n;
  let text = String(isNegative ? -digits : digits);
  if (exponent >= 0) text += text === "0" ? "" : "0".repeat(exponent);
  else {
    text = text.padStart(1 - exponent, "0");
    text = `${text.slice(0, exponent)}.${text.slice(exponent)}`.replace(/\.?0+$/, "");
  }
  return (isNegative ? "-" : "") + text;
}

// Null when one of them is no number.
export function sumOf(one: string, other: string): string | null {
  const [a, b] = [parse(one), parse(other)];
  if (a === null || b === null) return null;
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = (number: Decimal) => number.digits * 10n ** BigInt(number.exponent - exponent);
  return write({ digits: scaled(a) + scaled(b), exponent });
}
