interface PackageSource {
  description: string;
  keywords: string[];
  entry: string;
  node?: string;
  modules: string[];
}
export type PackageName = 'client' | 'core' | 'verify' | 'ed25519';
export const PACKAGES: Readonly<Record<PackageName, PackageSource>>;
/** Makes a package in a folder; answers its bytes. */
export function makePackage(name: PackageName, outDir?: string): Promise<number>;
