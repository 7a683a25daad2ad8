/** What this browser is called in the list of sign-ins. Pure but for the default. */
const BROWSERS = [['Edg/', 'Edge'], ['OPR/', 'Opera'], ['Firefox/', 'Firefox'], ['Chrome/', 'Chrome'], ['Safari/', 'Safari']];
const SYSTEMS = [['iPhone', 'iOS'], ['iPad', 'iOS'], ['Android', 'Android'], ['Windows', 'Windows'], ['Mac OS X', 'macOS'], ['Linux', 'Linux']];

const first = (pairs, text) => pairs.find(([mark]) => text.includes(mark))?.[1];

export function thisClient(agent = navigator.userAgent) {
  const browser = first(BROWSERS, agent) ?? 'A browser', system = first(SYSTEMS, agent);
  return system ? `${browser} on ${system}` : browser;
}
