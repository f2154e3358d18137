// Light or dark: as the system is set, unless the visitor chose. The choice is stored in this browser only.

export type Theme = 'system' | 'light' | 'dark';
export const THEMES: readonly Theme[] = ['system', 'light', 'dark'];
const KEY = 'vws.theme';

/** If storage is blocked, a choice lasts as long as the page. */
export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY) as Theme | null;
    return kept && THEMES.includes(kept) ? kept : 'system';
  } catch {
    return 'system';
  }
}

export function applyTheme(theme: Theme = chosenTheme()): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
}

export function chooseTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Not stored, but applied.
  }
  applyTheme(theme);
}
