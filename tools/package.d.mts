export function bundleDoors(outDir?: string): Promise<void>;
