import {html, nothing, svg} from '../core/lit.js';
import {get, inOrg} from '../core/api.js';
import {serverNow} from '../core/clock.js';
import {clockTime, count, money, shortCount} from '../core/format.js';
import {empty} from '../ui/bits.js';
import {hostFilter} from '../ui/host-filter.js';
import {Loading} from '../ui/states.js';
import {shortTable} from '../ui/table.js';
import {budgets} from './budgets.js';
import {SERIES, axis, bucketLabel, stack} from './costs.model.js';

const WIDTH = 1000, HEIGHT = 220;
const colour = i => `var(--s${i + 1})`;

export const costs = {
  path: '/costs',
  title: 'Costs',
  topics: ['costs', 'hosts', 'agents'],
  open(ctx) {
    const data = new Loading(ctx.invalidate), limits = budgets(ctx);
    const question = () => ({by: ctx.query.by ?? 'agent', unit: ctx.query.unit ?? 'day', host: ctx.query.host, agent: ctx.query.agent, model: ctx.query.model});
    let asked = '';
    const load = () => {
      asked = JSON.stringify(question());
      data.run(async () => ({series: await get(inOrg('/view/history/costs'), question()), ...question(), at: serverNow()}));
    };
    load();
    // The server sums; it tells when there is something to add, and the clock when the last bar ends.
    const news = () => ctx.live.rows('costs').get('costs')?.news ?? 0;
    let heard = news(), ended = '';
    const again = () => {
      const until = data.value?.series.until ?? '';
      const passed = until && until !== ended && serverNow() >= Date.parse(until);
      if (data.busy || !(passed || news() !== heard)) return;
      heard = news();
      ended = passed ? until : ended;
      load();
    };
    return {
      asOf: () => (data.value ? `as of ${clockTime(new Date(data.value.at).toISOString())} UTC` : ''),
      queryChanged: () => { if (asked !== JSON.stringify(question())) load(); },
      view: () => {
        again();
        return page(ctx, data, load, limits());
      },
    };
  },
};

const page = (ctx, data, load, limits) => html`${bar(ctx)}<div class="body" tabindex="0" role="region" aria-label="Costs">${limits}${data.show(d => body(ctx, d), load)}</div>`;

function bar(ctx) {
  const choice = (name, value, label, otherwise) => html`<button aria-pressed=${(ctx.query[name] ?? otherwise) === value ? 'true' : 'false'} @click=${() => ctx.setQuery({[name]: value === otherwise ? '' : value})}>${label}</button>`;
  return html`<div class="bar">
    <div class="tally" role="group" aria-label="Split by">${choice('by', 'agent', 'by agent', 'agent')}${choice('by', 'host', 'by host', 'agent')}${choice('by', 'model', 'by model', 'agent')}</div>
    <div class="tally" role="group" aria-label="Period">${choice('unit', 'day', '30 days', 'day')}${choice('unit', 'hour', '48 hours', 'day')}</div>
    ${hostFilter(ctx)}
    ${ctx.query.agent ? html`<button @click=${() => ctx.setQuery({agent: ''})}>One agent ✕</button>` : nothing}</div>`;
}

function body(ctx, {series, by, unit}) {
  const chart = stack(series, unit);
  if (!chart.ranked.length) return empty('Nothing was spent in this time.', 'Costs appear with the first call to a model that has a price.');
  const name = group => series.names[group] ?? group;
  return html`<section class="top">${bars(chart, series.dayLimit, name, unit)}</section>
    <section class="part">${shortTable({
    label: `Costs by ${by}`,
    rows: chart.ranked.map((t, i) => ({...t, i})),
    columns: [
      {label: by === 'agent' ? 'Agent' : by === 'host' ? 'Host' : 'Model', cls: 'name', cell: t => html`<svg class="key" viewBox="0 0 8 8" aria-hidden="true">${svg`<rect width="8" height="8" .style=${`fill:${colour(Math.min(t.i, SERIES))}`}></rect>`}</svg>${name(t.group)}`},
      {label: 'Calls', width: 80, cls: 'num wide', cell: t => count(t.calls)},
      {label: 'Input tokens', width: 110, cls: 'num wide', cell: t => shortCount(t.input)},
      {label: 'Output tokens', width: 116, cls: 'num wide', cell: t => shortCount(t.output)},
      {label: 'Cached', width: 90, cls: 'num wide', cell: t => shortCount(t.cache)},
      {label: 'Share', width: 72, cls: 'num', cell: t => `${(chart.total ? t.micros / chart.total * 100 : 0).toFixed(0)}%`},
      {label: 'Cost', width: 100, cls: 'num', cell: t => money(t.micros)},
    ],
  })}</section>`;
}

function bars(chart, limit, name, unit) {
  const {top, near} = axis(chart.highest, limit);
  const step = WIDTH / chart.bars.length, gap = Math.min(6, step * .25);
  const y = micros => HEIGHT - micros / top * HEIGHT;
  const today = chart.bars.at(-1).micros;
  return html`<figure class="chart"><figcaption><b>${money(chart.total)}</b> <span class="soft">in ${unit === 'hour' ? '48 hours' : '30 days'}, ${money(today)} ${unit === 'hour' ? 'this hour' : 'today'}${limit ? `, of ${money(limit)} allowed` : ''}</span></figcaption>
    <div class="plot"><div class="axis" aria-hidden="true"><span>${money(top)}</span><span>${money(top / 2)}</span><span>$0</span></div>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Costs over time, ${money(chart.total)} in all">
      ${[0, .5].map(share => svg`<line class="grid" x1="0" x2=${WIDTH} y1=${share * HEIGHT} y2=${share * HEIGHT}></line>`)}
      ${chart.bars.map((bar, i) => {
    let at = 0;
    return svg`<g>${bar.parts.map((micros, n) => {
      if (!micros) return nothing;
      at += micros;
      return svg`<rect x=${i * step + gap / 2} width=${step - gap} y=${y(at)} height=${Math.max(.5, micros / top * HEIGHT)} .style=${`fill:${colour(n)}`}></rect>`;
    })}<rect class="hit" x=${i * step} width=${step} y="0" height=${HEIGHT}><title>${tip(bar, chart, name)}</title></rect></g>`;
  })}
      ${near ? svg`<line class="limit" x1="0" x2=${WIDTH} y1=${y(near)} y2=${y(near)}></line>` : nothing}</svg></div>
    <div class="ticks" aria-hidden="true">${[0, Math.floor(chart.bars.length / 2), chart.bars.length - 1].map(i => html`<span>${bucketLabel(chart.bars[i].key)}</span>`)}</div></figure>`;
}

function tip(bar, chart, name) {
  const groups = [...chart.own.keys(), ...(chart.rest >= 0 ? ['others'] : [])];
  const lines = bar.parts.map((micros, n) => (micros ? `${groups[n] === 'others' ? 'others' : name(groups[n])}: ${money(micros)}` : '')).filter(Boolean);
  return [`${bucketLabel(bar.key)}: ${money(bar.micros)}`, ...lines].join('\n');
}
