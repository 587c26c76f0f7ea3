export const TOOLKIT: string;

export function requireToolkit(): Promise<string>;
