/** Pages without TLS lack `crypto.randomUUID`. */
export function newUuid(now = Date.now()): string {
  const time = now.toString(16).padStart(12, '0');
  const random = [...crypto.getRandomValues(new Uint8Array(10))];
  // Variant.
  random[2] = ((random[2] ?? 0) & 63) | 128;
  const hex = random.map(byte => byte.toString(16).padStart(2, '0')).join('');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(1, 4)}-${hex.slice(4, 8)}-${hex.slice(8)}`;
}
