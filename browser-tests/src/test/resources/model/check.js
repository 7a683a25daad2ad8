/** The smallest test frame: named checks, run one after the other, told as data. */
const tests = [];

export const test = (name, body) => tests.push({name, body});

export function same(actual, expected) {
  const a = JSON.stringify(actual), e = JSON.stringify(expected);
  if (a !== e) throw new Error(`expected ${e}, got ${a}`);
}

export function fails(body, part) {
  try {
    body();
  } catch (failure) {
    if (failure.message.includes(part)) return;
    throw new Error(`failed with "${failure.message}", not with "${part}"`);
  }
  throw new Error('did not fail');
}

export function run() {
  return tests.map(({name, body}) => {
    try {
      body();
      return {name, problem: ''};
    } catch (failure) {
      return {name, problem: String(failure.message)};
    }
  });
}
