/** Checks of every module without a page. ASSETS is where the app's modules stand. */
import {fails, run, same, test} from './check.js';

const at = path => import(`${globalThis.ASSETS}${path}`);
const [format, list, {LiveRows}, {LogWindow, matches}, route, {Keymap}, retry, hosts, agents, log, mail, costs, audit, overview, palette, act, alerts, sync, job, columns, approvals, diff, detail, yaml] = await Promise.all([
  'core/format.js', 'core/list.js', 'core/rows.js', 'core/log-window.js', 'core/route.js', 'core/keymap.js', 'core/retry.js',
  'pages/hosts.model.js', 'pages/agents.model.js', 'pages/log.model.js', 'pages/mail.model.js', 'pages/costs.model.js',
  'pages/audit.model.js', 'pages/overview.model.js', 'ui/palette.js', 'ui/act.model.js', 'pages/alerts.model.js', 'pages/sync.model.js', 'pages/job.model.js', 'ui/columns.model.js', 'pages/approvals.model.js', 'pages/diff.model.js', 'pages/log-detail.model.js', 'pages/yaml.model.js'].map(at));

const NOW = Date.parse('2026-11-15T12:00:00Z');
const before = seconds => new Date(NOW - seconds * 1000).toISOString();

const FILE = `# ours
username: ada   # short
prompt: |  # who
  You are ada.

  Be brief.
env:
  A: b
model: "claude-haiku-4-5"
`;

test('a key of a file is read as YAML reads it', () => {
  same(['username', 'prompt', 'model', 'title'].map(key => yaml.valueOf(FILE, key)), ['ada', 'You are ada.\n\nBe brief.', 'claude-haiku-4-5', '']);
  same(['its', 'a "b"', '"x" # y'].map(text => yaml.valueOf(`k: ${text}\n`, 'k')), ['its', 'a "b"', 'x']);
});
test('a key of a file is changed and all else stays as it was written', () => {
  same(yaml.withValue(FILE, 'username', 'ben'), FILE.replace('ada   # short', 'ben   # short'));
  same(yaml.withValue(FILE, 'prompt', 'One.\nTwo.'), FILE.replace('prompt: |  # who\n  You are ada.\n\n  Be brief.\n', 'prompt: |\n  One.\n  Two.\n'));
  same(yaml.withValue(FILE, 'model', ''), FILE.replace('model: "claude-haiku-4-5"\n', ''));
  same(yaml.withValue(FILE, 'title', 'yes'), `${FILE}title: "yes"\n`);
  same(yaml.withValue('', 'title', 'A: b'), 'title: "A: b"\n');
});
test('a line of a file is found for the cursor', () => {
  same([1, 2, 99].map(line => yaml.lineRange('ab\ncde\n', line)), [[0, 2], [3, 6], [7, 7]]);
});
test('ages are told in the largest unit that fits', () => {
  same([0, 4, 59, 61, 3599, 3600, 86400 * 3].map(s => format.ago(before(s), NOW)),
    ['just now', 'just now', '59 s ago', '1 min ago', '59 min ago', '1 h ago', '3 d ago']);
});
test('columns give way from the right, what can be done last, and the name never', () => {
  const all = [{key: 'status', width: 100}, {key: 'name', cls: 'name'}, {key: 'host', width: 100, cls: 'name wide'}, {key: 'model', cls: 'wide'}, {key: 'do', width: 150, cls: 'wide acts'}];
  const keys = room => columns.fitting(all, room).map(c => c.key).join(' ');
  same([590, 589, 470, 469, 319, 219].map(keys), ['status name host model do', 'status name host do', 'status name host do', 'status name do', 'status name', 'status name']);
});
test('where not even the least has room it is as on a phone', () => {
  same(columns.fitting([{key: 'a', width: 200, narrow: 80}, {key: 'b', width: 200, narrow: 0}], 300).map(c => c.width), [80, 0]);
});
test('a time ahead of the server counts as now, a missing one as nothing', () => {
  same([format.ago(before(-30), NOW), format.ago(null, NOW)], ['just now', '–']);
});
test('durations have two units, or one if the other is none', () => {
  same([500, 5_000, 65_000, 900_000, 3_700_000, 90_000_000].map(ms => format.lasted(new Date(NOW - ms).toISOString(), NOW)),
    ['500 ms', '5 s', '1 min 5 s', '15 min', '1 h 1 min', '1 d 1 h']);
});
test('an alert is told in words and leads to what it is about', () => {
  same(['AGENT_OFFLINE', 'SOMETHING_NEW'].map(alerts.kindWords), ['Host offline', 'something new']);
  same(['host:01J', 'job:a b', 'hub', undefined].map(alerts.leadsTo), ['/hosts/01J', '/jobs/a%20b', '', '']);
  same(overview.leadsTo({kind: 'alert', subject: 'hub'}), '/alerts');
});
test('one failed job leads to itself, many alike lead to all of them', () => {
  same([{}, {status: 'failed', q: 'a b', host: '01H'}].map(among => overview.leadsTo({kind: 'run', subject: '01J', among})), ['/jobs/01J', '/jobs?status=failed&q=a+b&host=01H']);
});
test('a link tells whether an answer is awaited, and since when if that is long', () => {
  const link = {role: 'host', state: 'connected', askedAt: null};
  same([link, {...link, askedAt: before(0)}, {...link, askedAt: before(75)}, {...link, state: 'away'}, {...link, role: 'hub', askedAt: before(3)}].map(l => sync.inFlight(l, NOW)),
    ['0', '1', '1 for 1 min', '–', '1 for 3 s']);
});

test('sync: rows wait since a time, none is no time, and what is not known is not made up', () => {
  const since = new Date(NOW - 90_000).toISOString();
  same([{lagRows: 3, behindSince: since}, {lagRows: 0, behindSince: null}, {lagRows: null, behindSince: null}].map(l => sync.behind(l, NOW)), ['1 min', '0 s', '–']);
  same([['hub', 'away'], ['hub', 'connected'], ['host', 'away']].map(([role, state]) => sync.atMost({role, state})), [true, false, false]);
});
test('sync: what is under way and does not move is said, once that is unusual', () => {
  const link = {role: 'host', state: 'catching_up', askedAt: before(75)};
  same([link, {...link, movedAt: before(2)}, {...link, movedAt: before(20)}, {...link, askedAt: before(9), movedAt: before(60)}, {...link, askedAt: null, movedAt: before(60)}, {...link, state: 'away'}].map(l => sync.stuck(l, NOW)),
    ['no progress for 1 min', '', 'no progress for 20 s', 'no progress for 9 s', '', '']);
});
test('sync: what a host wrote that is not there is unknown, and since when', () => {
  const link = {role: 'host', state: 'away', lagRows: null, unknownSince: before(130)};
  same([link, {...link, unknownSince: null}, {role: 'hub', state: 'away', lagRows: 1200}, {role: 'hub', state: 'connected', lagRows: 0}].map(l => sync.rowsBehind(l, NOW)),
    ['unknown for 2 min', null, '≤ 1,200', 0]);
});
test('what came of a run is told in words', () => {
  same(['{"exitStatus":0}', 'exit status 2', '', '{"a":{"b":1},"cD":"x"}'].map(job.resultText), ['exit status 0', 'exit status 2', '', 'a {"b":1}, c d x']);
});
test('ids in the record are told by names, or by their ends', () => {
  const id = '01M7FR405JCEASRBGARTNJCC9F';
  same([audit.shortIds(`job:${id}`), audit.shortIds(`type shell, host ${id}`, () => 'box-a'), audit.shortIds('maria')], ['job …NJCC9F', 'type shell, host box-a', 'maria']);
});
test('money keeps what matters', () => {
  same([0, 1234, 250_000, 12_340_000, 1_234_560_000, null].map(format.money), ['$0', '$0.0012', '$0.25', '$12.34', '$1,235', '–']);
});
test('counts count before the state filter and after the others', () => {
  const rows = [{id: 'a', s: 'on', n: 'ax'}, {id: 'b', s: 'off', n: 'bx'}, {id: 'c', s: 'on', n: 'cy'}];
  const spec = {sort: 'n', status: r => r.s, text: r => r.n, keys: {n: r => r.n}};
  const chosen = list.selectRows(rows, {q: 'x', status: 'off'}, spec);
  same([chosen.rows.map(r => r.id), chosen.counts, chosen.total], [['b'], {on: 1, off: 1}, 2]);
});
test('empty values sort last either way', () => {
  const rows = [{id: 'a', v: null}, {id: 'b', v: 1}, {id: 'c', v: 2}];
  same([false, true].map(down => [...rows].sort(list.comparing(r => r.v, down)).map(r => r.id)), [['b', 'c', 'a'], ['c', 'b', 'a']]);
});
test('a frozen order stays, new rows come at the end', () => {
  same(list.inFrozenOrder([{id: 'n'}, {id: 'b'}, {id: 'a'}], ['a', 'b']).map(r => r.id), ['a', 'b', 'n']);
});
test('only rows in sight are drawn', () => {
  same(list.visibleRange(2000, 34, 34 * 100, 680, 5), {first: 95, last: 125});
  same(list.visibleRange(3, 34, 0, 680, 5), {first: 0, last: 3});
});
test('a delta puts and drops rows', () => {
  const rows = new LiveRows();
  rows.load([{id: 'a', v: 1}, {id: 'b', v: 1}]);
  rows.apply({put: [{id: 'a', v: 2}, {id: 'c', v: 1}], drop: ['b']});
  same([...rows.values()], [{id: 'a', v: 2}, {id: 'c', v: 1}]);
});
test('a paused list counts what waits and takes it when it goes on', () => {
  const rows = new LiveRows();
  rows.load([]);
  rows.pause();
  rows.apply({put: [{id: 'a'}], drop: []});
  rows.apply({put: [], drop: ['x']});
  same([rows.size, rows.waiting], [0, 2]);
  rows.resume();
  same([rows.size, rows.waiting], [1, 0]);
});
test('a log takes each line once', () => {
  const window = new LogWindow();
  window.load({lines: [{id: '1'}, {id: '2'}], before: null});
  window.arrive([{id: '2'}, {id: '3'}]);
  same(window.lines.map(l => l.id), ['1', '2', '3']);
});
test('a log lets go of its far end instead of growing for ever', () => {
  const window = new LogWindow(4);
  window.load({lines: ['3', '4', '5', '6'].map(id => ({id})), before: '3'});
  window.arrive([{id: '7'}]);
  same([window.firstId, window.hasBefore], ['4', true]);
  window.prepend({lines: [{id: '2'}, {id: '3'}], before: null});
  same([window.lines.map(l => l.id), window.atEnd, window.hasBefore], [['2', '3', '4', '5'], false, false]);
});
test('a paused log holds lines back', () => {
  const window = new LogWindow(10);
  window.load({lines: [{id: '1'}], before: null});
  window.paused = true;
  window.arrive([{id: '2'}, {id: '3'}]);
  same([window.lines.length, window.waiting], [1, 2]);
  window.resume();
  same([window.lines.length, window.waiting], [3, 0]);
});
test('lines are found whatever their case', () => {
  same(matches([{message: 'Error'}, {message: 'fine'}, {message: 'no error'}], 'ERR'), [0, 2]);
});
test('paths lead to pages', () => {
  const pages = [{path: '/hosts'}, {path: '/hosts/:host'}];
  same(route.findPage(pages, '/hosts/')?.page.path, '/hosts');
  same(route.findPage(pages, '/hosts/a%2Fb')?.params, {host: 'a/b'});
  same([route.findPage(pages, '/nowhere'), route.findPage(pages, '/hosts/%E0%A4%A')], [null, null]);
});
test('a plain view has a plain address', () => {
  same([route.writeQuery({q: 'x', status: 'on'}, {status: ''}), route.writeQuery({q: ''})], ['?q=x', '']);
});
test('shortcuts can be one key or two', () => {
  const keymap = new Keymap();
  keymap.set('app', [{keys: 'g h'}, {keys: 't'}, {keys: 'h'}]);
  same([keymap.press('t', 0)?.keys, keymap.press('g', 10), keymap.press('h', 20)?.keys, keymap.press('h', 30)?.keys], ['t', null, 'g h', 'h']);
  keymap.press('g', 100);
  same(keymap.press('h', 9000)?.keys, 'h');
});
test('a page\'s shortcut wins over the app\'s', () => {
  const keymap = new Keymap();
  keymap.set('app', [{keys: 'j', label: 'app'}]);
  keymap.set('page', [{keys: 'j', label: 'page'}]);
  same([keymap.press('j', 0).label, keymap.all().length], ['page', 1]);
});
test('tries become rarer and then stay', () => {
  same([1, 2, 3, 4, 5, 50].map(retry.waitAfter), [1, 2, 4, 8, 15, 15]);
});
test('the earlier place of one process is chosen, none of two', () => {
  same([retry.earlierPlace('p.9', 'p.12'), retry.earlierPlace('', 'p.3'), retry.earlierPlace('p.1', 'q.1')], ['p.9', 'p.3', null]);
});
test('labels are read and written', () => {
  same(hosts.parseLabels('env=prod, region: eu'), {env: 'prod', region: 'eu'});
  same(hosts.formatLabels({env: 'prod'}), 'env=prod');
  fails(() => hosts.parseLabels('prod'), '"prod" is no label');
});
test('what can be asked of an agent follows from its state', () => {
  same(['stopped', 'paused', 'active', 'unreachable'].map(status => agents.possibleActions({status})), [['start'], ['resume', 'stop'], ['pause', 'stop'], []]);
});
test('a message is cut to its first line, with the number of the others', () => {
  same([log.firstLine('a\nb\nc\n'), log.firstLine('a\n'), log.firstLine('')], [{text: 'a', more: 2}, {text: 'a', more: 0}, {text: '', more: 0}]);
});
test('wrapped rows are counted by characters', () => {
  same([log.wrappedRows('', 10), log.wrappedRows('12345678901', 10), log.wrappedRows('a\nb', 10), log.wrappedRows('漢字漢字漢字', 10)], [1, 2, 2, 2]);
});
test('rows of different heights are found by their place', () => {
  const tops = log.offsets([{h: 20}, {h: 60}, {h: 20}], l => l.h);
  same([[...tops], log.rowAt(tops, 0), log.rowAt(tops, 20), log.rowAt(tops, 79), log.rowAt(tops, 80), log.rowAt(tops, 9999)], [[0, 20, 80, 100], 0, 1, 1, 2, 2]);
});
test('matches in a line alternate with the text between', () => {
  same(log.splitMatches('an Index of indexes', 'index'), ['an ', 'Index', ' of ', 'index', 'es']);
});
test('an answer goes to the writer, to all if asked', () => {
  const m = {id: 'm', subject: 'Hello', from: {name: 'ada', hostName: 'a'}, recipients: [{name: 'bo', hostName: 'b', type: 'to'}, {name: 'cy', hostName: 'c', type: 'bcc'}]};
  same(mail.answerTo(m), {to: 'ada@a', subject: 'Re: Hello', replyTo: 'm'});
  same(mail.answerTo({...m, subject: 're: Hello'}, true), {to: 'ada@a, bo@b', subject: 're: Hello', replyTo: 'm'});
});
test('read states add up', () => {
  const r = (...read) => ({recipients: read.map(readAt => ({readAt}))});
  same([mail.readState(r('x', 'x')), mail.readState(r(null)), mail.readState(r('x', null))], ['read', 'unread', 'read by 1 of 2']);
});
test('costs: days without spending are there, small groups together, sums right', () => {
  const series = {since: '2026-11-13T00:00:00Z', until: '2026-11-16T00:00:00Z', buckets: [
    {bucket: '2026-11-13', group: 'a', micros: 5, calls: 1, inputTokens: 1, outputTokens: 1, cacheTokens: 0},
    {bucket: '2026-11-15', group: 'b', micros: 3, calls: 1, inputTokens: 1, outputTokens: 1, cacheTokens: 0},
    {bucket: '2026-11-15', group: 'c', micros: 1, calls: 1, inputTokens: 1, outputTokens: 1, cacheTokens: 0}]};
  const chart = costs.stack(series, 'day', 1);
  same(chart.bars.map(b => [b.key, b.parts, b.micros]), [['2026-11-13', [5, 0], 5], ['2026-11-14', [0, 0], 0], ['2026-11-15', [0, 4], 4]]);
  same([chart.total, chart.highest], [9, 5]);
});
test('axes end at round numbers', () => {
  same([0, 0.7, 1, 3, 41].map(costs.niceTop), [1, 1, 1, 5, 50]);
  same(costs.axis(2e6, 3e6), {top: 5e6, near: 3e6});
  same(costs.axis(2e6, 200e6), {top: 2e6, near: 0});
  same(costs.axis(2e6, null), {top: 2e6, near: 0});
});
test('an exported cell cannot become a formula', () => {
  same(['=1+1', 'a,b', 'say "x"', null].map(audit.csvCell), ['\'=1+1', '"a,b"', '"say ""x"""', '']);
});
test('what waits for a yes comes before what is broken', () => {
  const order = overview.worstFirst([{id: '1', kind: 'budget'}, {id: '2', kind: 'host'}, {id: '3', kind: 'approval'}]);
  same(order.map(i => i.kind), ['approval', 'host', 'budget']);
});
test('the card of a command says who decided, through whom and when', () => {
  const card = {decision: 'approved', decidedBy: 'operator anna', decidedThrough: 'main', decidedAt: '2026-11-15T14:03:27.000000Z'};
  same(approvals.decided(card), 'approved by operator anna (through main) at 2026-11-15 14:03:27 UTC');
  same(approvals.decided({...card, decision: 'denied', decidedBy: 'the command line', decidedThrough: null}), 'denied by the command line at 2026-11-15 14:03:27 UTC');
  same(approvals.decided({...card, decision: 'denied', decidedBy: null, decidedThrough: null}), 'denied at 2026-11-15 14:03:27 UTC: nobody decided in time');
  const waiting = {id: 'w', decision: 'pending', decidedAt: null}, older = {...card, id: 'o', decidedAt: '2026-11-14T14:03:26.000000Z'}, newer = {...card, id: 'n'};
  same(approvals.waitingFirst([older, newer, waiting]).map(c => c.id), ['w', 'n', 'o']);
  same(approvals.decidedLately([older, newer, waiting], Date.parse('2026-11-15T14:03:27Z'), 5).map(c => c.id), ['n']);
});
test('the card says that a yes holds for always, and why it was a no', () => {
  const card = {decision: 'approved', decidedBy: 'operator anna', decidedThrough: null, decidedAt: '2026-11-15T14:03:27.000000Z'};
  same(approvals.decided({...card, always: true}), 'approved by operator anna at 2026-11-15 14:03:27 UTC, always from now on');
  same(approvals.decided({...card, decision: 'denied', reason: 'use bc'}), 'denied by operator anna at 2026-11-15 14:03:27 UTC: use bc');
});
test('the card of an edit says its title, its file and what changes, that of a command only the command', () => {
  same(approvals.shownOf({command: 'ls', title: null, kind: null, path: null, diff: []}), {kind: '', title: '', path: '', command: 'ls', rows: []});
  same(approvals.shownOf({command: 'a.ts', title: 'Edit', kind: 'edit', path: 'a.ts', diff: [{path: 'a.ts', oldText: 'x\n', newText: 'y\n'}]}), {kind: 'edit', title: 'Edit', path: '', command: '',
    rows: [{text: 'a.ts  +1 −1', look: 'file'}, {text: '-x', look: 'removed'}, {text: '+y', look: 'added'}]});
});
test('a diff shows what changed with a few lines around it', () => {
  const lines = n => Array.from({length: n}, (_, i) => `l${i}`);
  const signs = (a, b) => diff.diffRows(a.join('\n'), b.join('\n')).map(r => r.sign + r.text);
  same(signs(['a', 'b', 'c'], ['a', 'x', 'c']), [' a', '-b', '+x', ' c']);
  same(signs(lines(20), [...lines(10), 'new', ...lines(20).slice(10)]), ['…', ' l7', ' l8', ' l9', '+new', ' l10', ' l11', ' l12', '…']);
  same(diff.diffRows('', 'a\n\nb\n').map(r => r.sign + r.text), ['+a', '+', '+b']);
  same(diff.diffRows('a\n', '').map(r => r.sign + r.text), ['-a']);
  same(diff.diffRows('same', 'same'), []);
  same(signs(['k', 'a', 'b', 'k2'], ['k', 'b', 'a', 'k2']), [' k', '-a', ' b', '+a', ' k2']);
});
test('a diff of very long texts is told without comparing every pair', () => {
  const many = n => Array.from({length: n}, (_, i) => `${n} ${i}`).join('\n');
  const rows = diff.diffRows(many(2000), many(3000));
  same([rows.filter(r => r.sign === '-').length, rows.filter(r => r.sign === '+').length], [2000, 3000]);
});
test('the use of a tool runs until its result comes, and nobody knows once its turn is over', () => {
  const line = (type, d, session = 1) => ({agent: 'a', run: 'r', session, type, message: '', detail: d});
  const call = (id, session) => line('tool_call', {toolCallId: id}, session);
  const lines = [call('1'), call('2'), line('tool_result', {toolCallId: '1', status: 'completed'}), call('3'), line('tool_result', {toolCallId: '3', status: '<b>'}),
    call('4'), line('turn_end', {stopReason: 'end_turn'}), call('5'), call('1', 2), line('tool_call', null), line('tool_call', {toolCallId: 7})];
  const states = detail.toolStates(lines);
  same(lines.filter(l => l.type === 'tool_call').map(l => detail.stateOf(l, states)), ['completed', 'unknown', 'unknown', 'unknown', 'running', 'running', '', '']);
  same(detail.stateOf(lines[2], states), '');
});
test('a line is drawn by its detail, and by its message where that has another shape', () => {
  const rows = (type, d, message = '') => detail.rowsOf({type, message, detail: d})?.map(r => [r.text, r.look]);
  same(rows('plan', {entries: [{content: 'a', status: 'completed'}, {content: 'b', status: 'in_progress'}, {content: '<i>', status: 'x'}, null, 7]}), [['☑ a', 'done'], ['◐ b', 'now'], ['☐ <i>', '']]);
  same(rows('turn_end', {stopReason: 'max_tokens', why: 'too long'}), [['the turn ended: max tokens: too long', 'trouble']]);
  same(rows('turn_end', {stopReason: 'end_turn'}), [['the turn ended', 'kept']]);
  same(rows('decision', {approval: 'x', always: true}, 'approved by a'), [['approved by a, always from now on', '']]);
  same(rows('tool_result', {diffs: [{path: 'a', oldText: null, newText: 'x'}]}, 'done'), [['done', ''], ['a  +1 −0', 'file'], ['+x', 'added']]);
  same([rows('tool_result', {diffs: 'x'}, 'm'), rows('plan', {entries: {}}, 'm'), rows('plan', 'x', 'm'), rows('reply', {a: 1}, 'm'), rows('plan', null, 'm')].map(r => r ?? null), [null, null, null, null, null]);
  same(rows('tool_result', {diffs: Array.from({length: 60}, (_, i) => ({path: `${i}`, oldText: '', newText: 'x\ny\nz\nw\n'}))}).length, 201);
  same(detail.wordsOf({type: 'plan', message: 'm', detail: {entries: [{content: 'find me'}]}}), '☐ find me');
});
test('the palette prefers beginnings', () => {
  const items = [{kind: 'host', label: 'web-ams'}, {kind: 'host', label: 'ams-1'}, {kind: 'page', label: 'Mail'}];
  same(palette.rank(items, 'ams').map(i => i.label), ['ams-1', 'web-ams']);
});

test('what a click began is followed to its end', () => {
  same([undefined, {status: 'running'}, {status: 'succeeded'}, {status: 'failed', problem: 'no such agent'}].map(j => act.jobNote(j).text),
    ['Sent to the host', 'The host is at it', 'Done', 'Failed: no such agent']);
  same([act.jobNote({status: 'lost'}).bad, act.jobNote({status: 'succeeded'}).over], [true, true]);
});

globalThis.RESULTS = run();
