export function requireGlewlwyd(): Promise<{ program: string; libraries: string; root: string }>;
