// The sections of the page, from the model (report_model.h), in the shapes of shapes.js.
"use strict";

const MODEL = JSON.parse(document.getElementById("model").textContent);

// In the order of the numbers in names, too: sm2 before sm10.
const inOrder = name => name.replace(/\d+/g, n => n.padStart(6, "0"));
const byName = (a, b) => d3.ascending(inOrder(a.name), inOrder(b.name));
// Of a path only the file.
const shortPlace = place => place.replace(/^[^(]*\//, "");
const kernelName = kernel => `${kernel.number}: ${kernel.name}`;
const policyText = policies => Object.entries(policies).filter(([, value]) => value !== "none").map(([family, value]) => `${family} ${value}`).join(", ");
const ipc = run => run.result.cycles ? run.result.warp_instructions / run.result.cycles : 0;

function provenance(parent, run) {
  const box = section(parent, "run", "Run", "What has to be given again to get the same run again, and what came out.");
  const facts = [];
  for (const [key, value] of Object.entries(run.provenance))
    facts.push([key.replace(/_/g, " "), key === "policies" ? policyText(value) || "none" : Array.isArray(value) ? value.join("  ") || "none" : String(value)]);
  for (const [key, value] of Object.entries(run.result))
    facts.push([key.replace(/_/g, " "), Array.isArray(value) ? value.join(" ") : typeof value === "number" ? whole(value) : String(value)]);
  facts.push(["IPC", `${number(ipc(run))} warp instructions per core cycle, all SMs`]);
  table(box, [{name: "what", of: f => f[0]}, {name: "value", of: f => f[1]}], facts);
  const details = box.append("details");
  details.append("summary").text(`Configuration: ${run.configuration.length} keys, ${run.configuration.filter(c => c.set).length} of them not as by default`);
  table(details, [{name: "key", of: c => c.key, kind: "code"}, {name: "value", of: c => c.value}, {name: "set", of: c => c.set ? "yes" : ""},
    {name: "meaning", of: c => c.meaning}, {name: "source of the default", of: c => c.source || ""}],
    run.configuration.slice().sort((a, b) => (b.set ? 1 : 0) - (a.set ? 1 : 0)));
}

function kernels(parent, run) {
  const box = section(parent, "kernels", "Kernels", "Launches in the order of their beginnings; cycles are the core's.");
  if (!run.kernels.length) return nothing(box, "No kernel ran.");
  const end = d3.max(run.kernels, k => k.ended);
  const names = Array.from(new Set(run.kernels.map(k => k.name)));
  const margin = {left: 10, right: 10, top: 4, bottom: 34};
  const g = chart(box, "kernels", WIDTH, 30 + margin.top + margin.bottom, margin);
  const x = d3.scaleLinear([0, end], [0, WIDTH - 20]);
  g.append("rect").attr("width", WIDTH - 20).attr("height", 30).attr("fill", "#f2f2f2");
  for (const kernel of run.kernels)
    g.append("rect").attr("class", "mark").attr("x", x(kernel.began)).attr("width", Math.max(1, x(kernel.ended) - x(kernel.began))).attr("height", 30)
      .attr("fill", COLORS[names.indexOf(kernel.name) % COLORS.length]).append("title").text(`${kernelName(kernel)}, ${whole(kernel.cycles)} cycles`);
  g.append("g").attr("class", "axis").attr("transform", "translate(0,30)").call(d3.axisBottom(x).ticks(10, "~s"));
  axisTitle(g, "core cycles; between kernels the host copies and launches", (WIDTH - 20) / 2, 60);
  legend(box, names.map((name, i) => ({name, color: COLORS[i % COLORS.length]})));
  table(box, [{name: "launch", of: k => k.number, kind: "number"}, {name: "kernel", of: k => k.name, kind: "code"},
    {name: "grid", of: k => k.grid.join(" x ")}, {name: "block", of: k => k.block.join(" x ")}, {name: "began", of: k => whole(k.began), kind: "number"},
    {name: "cycles", of: k => whole(k.cycles), kind: "number"}, {name: "warp instructions", of: k => whole(k.warp_instructions), kind: "number"},
    {name: "IPC", of: k => k.cycles ? k.warp_instructions / k.cycles : 0, kind: "number"}], run.kernels);
}

const reasonParts = run => run.stalls.reasons.map((name, i) => ({name: name.replace(/_/g, " "), color: COLORS[i % COLORS.length]}));
const shortBlock = name => name.replace(/^gpu\./, "");

function stalls(parent, run) {
  const box = section(parent, "stalls", "Issue slots", "Schedulers x issue width x cycles in which an SM holds work: what issued, and why the others were lost. " +
    "Kernels that run side by side share their SMs: each shows all that happened while it ran.");
  if (!run.stalls.blocks.length) return nothing(box, "The SMs of this platform keep no account.");
  const sums = matrix => run.stalls.reasons.map((_, r) => d3.sum(matrix, row => row[r]));
  choice(box, "Per SM, of", ["the whole run"].concat(run.kernels.map(kernelName)), draw);
  const picture = box.append("div");
  function draw(which) {
    const matrix = which === 0 ? run.stalls.run : run.stalls.kernels[which - 1];
    picture.selectAll("*").remove();
    stackedBars(picture, "stalls_by_sm", run.stalls.blocks.map((block, i) => ({name: shortBlock(block), values: matrix[i]})).sort(byName), reasonParts(run), "issue slots");
  }
  draw(0);
  if (!run.kernels.length) return;
  box.append("h2").text("By kernel, all SMs");
  stackedBars(box.append("div").attr("class", "scroll"), "stalls_by_kernel",
    run.kernels.map((k, i) => ({name: kernelName(k), values: sums(run.stalls.kernels[i])})), reasonParts(run), "issue slots");
}

function course(parent, run) {
  const box = section(parent, "course", "Over time", "IPC: warp instructions per core cycle. Occupancy: resident warps per warp slot. A sample is a mean of IPC over its span, " +
    "and the occupancy at its end (a mean of several where spans were joined). Grey: no kernel is under way.");
  const samples = run.course.samples;
  if (!samples.length) return nothing(box, "The run was too short.");
  const end = samples[samples.length - 1][1];
  const margin = {left: 60, right: 20, top: 8, bottom: 34};
  const wide = WIDTH - margin.left - margin.right, high = 140;
  const x = d3.scaleLinear([0, end], [0, wide]);
  const figures = [["warp_instructions", "IPC, all SMs", d3.sum], ["occupancy", "occupancy, mean", d3.mean]];
  for (const [name, title, fold] of figures) {
    const places = run.course.columns.map((c, i) => c.name === name ? i : -1).filter(i => i >= 0);
    if (!places.length) continue;
    const values = samples.map(s => fold(places, i => s[3][i]));
    const g = chart(box, `course_${name}`, WIDTH, high + margin.top + margin.bottom, margin);
    const y = d3.scaleLinear([0, d3.max(values) || 1], [high, 0]).nice();
    for (const s of samples)
      if (!s[2].length) g.append("rect").attr("x", x(s[0])).attr("width", x(s[1]) - x(s[0]) + 0.5).attr("height", high).attr("fill", "#eee");
    g.append("g").attr("class", "grid").call(d3.axisLeft(y).ticks(5).tickSize(-wide).tickFormat("")).select(".domain").remove();
    const points = [];
    samples.forEach((s, i) => points.push([s[0], values[i]], [s[1], values[i]]));
    g.append("path").attr("class", "mark").attr("fill", "none").attr("stroke", COLORS[0]).attr("stroke-width", 1.3)
      .attr("d", d3.line().x(p => x(p[0])).y(p => y(p[1]))(points));
    g.append("g").attr("class", "axis").call(d3.axisLeft(y).ticks(5));
    g.append("g").attr("class", "axis").attr("transform", `translate(0,${high})`).call(d3.axisBottom(x).ticks(10, "~s"));
    g.append("text").attr("transform", `translate(-42,${high / 2}) rotate(-90)`).attr("text-anchor", "middle").text(title);
    axisTitle(g, "core cycles", wide / 2, high + 30);
  }
  const sms = run.course.columns.map((c, place) => ({name: shortBlock(c.block), place, statistic: c.name}))
    .filter(c => c.statistic === "warp_instructions").sort(byName);
  box.append("h2").text("IPC of each SM");
  const step = Math.ceil(samples.length / 140), columns = d3.range(0, samples.length, step);
  heatMap(box, "course_by_sm", sms.map(sm => sm.name), columns.map(c => d3.format(".2~s")(samples[c][0])),
    [].concat(...sms.map((sm, row) => columns.map((from, column) => {
      const together = samples.slice(from, from + step), value = d3.mean(together, s => s[3][sm.place]);
      return {row, column, value, text: `${sm.name}, from cycle ${whole(together[0][0])}: ${number(value)}`};
    }))), "warp instructions per core cycle", "core cycles");
}

function roofline(parent, run) {
  const roof = run.roofline;
  const box = section(parent, "roofline", "Roofline", "Warp instructions per core cycle over warp instructions per byte moved. The flat roof is what all schedulers can issue; " +
    "a slope is what one level of memory can move. A small point is a launch, a large one the run, while kernels run. No roof of arithmetic: the model's unit is the issued warp instruction.");
  if (!roof.points.length) return nothing(box, "No byte was moved.");
  const margin = {left: 60, right: 20, top: 8, bottom: 36}, wide = 700, high = 360;
  const g = chart(box, "roofline", wide + margin.left + margin.right, high + margin.top + margin.bottom, margin);
  const ridges = roof.roofs.map(r => roof.peak / r.bytes_per_cycle);
  const across = roof.points.map(p => p.per_byte).concat(ridges), up = roof.points.map(p => p.ipc).concat(roof.peak);
  const x = d3.scaleLog([d3.min(across) / 2, d3.max(across) * 2], [0, wide]);
  const y = d3.scaleLog([d3.min(up) / 2, d3.max(up) * 2], [high, 0]);
  const levels = roof.roofs.map(r => r.level), color = level => COLORS[levels.indexOf(level) % COLORS.length];
  g.append("g").attr("class", "axis").call(d3.axisLeft(y).ticks(6, "~g"));
  g.append("g").attr("class", "axis").attr("transform", `translate(0,${high})`).call(d3.axisBottom(x).ticks(6, "~g"));
  axisTitle(g, "warp instructions per byte", wide / 2, high + 32);
  g.append("text").attr("transform", `translate(-42,${high / 2}) rotate(-90)`).attr("text-anchor", "middle").text("warp instructions per core cycle");
  roof.roofs.forEach((r, i) => {
    const [least, most] = x.domain(), from = Math.max(least, y.domain()[0] / r.bytes_per_cycle);
    const points = [[from, from * r.bytes_per_cycle], [ridges[i], roof.peak], [most, roof.peak]];
    g.append("path").attr("class", "mark").attr("fill", "none").attr("stroke", color(r.level)).attr("stroke-width", 1.6)
      .attr("stroke-dasharray", i ? `${6 - i * 2} ${2 + i}` : null).attr("d", d3.line().x(p => x(p[0])).y(p => y(p[1]))(points));
  });
  for (const p of roof.points)
    g.append("circle").attr("class", "mark").attr("cx", x(p.per_byte)).attr("cy", y(p.ipc)).attr("r", p.kernel === null ? 7 : 3.5)
      .attr("fill", color(p.level)).attr("fill-opacity", 0.65).attr("stroke", "#222").attr("stroke-width", p.kernel === null ? 1.5 : 0.3)
      .append("title").text(`${p.kernel === null ? "the run" : kernelName(run.kernels[p.kernel])}, ${p.level}: ${number(p.ipc)} per cycle, ${number(p.per_byte)} per byte`);
  legend(box, roof.roofs.map(r => ({name: `${r.level}: ${number(r.bytes_per_cycle)} B per core cycle = ${r.meaning}`, color: color(r.level)})));
  box.append("p").attr("class", "note").text(`The flat roof: ${number(roof.peak)} per core cycle = ${roof.peak_meaning}.`);
}

// Where the time of accesses goes, from their SM to memory and back.
function attribution(box, times) {
  if (!times.levels.length) return;
  const waits = times.waits, several = new Set(times.levels.map(level => level.gpu)).size > 1;
  const cycles = ps => ps * 1e-12 * times.core_hz;
  box.append("h2").text("Mean time of a line access, by the farthest that it had to go");
  stackedBars(box, "latency_by_level", times.levels.map(level => ({
    name: `${several ? `GPU ${level.gpu}, ` : ""}${level.level} (${d3.format(".3~s")(level.accesses)})`,
    values: waits.map(wait => cycles(level.waits_ps[wait] || 0) / level.accesses)})),
    waits.map((wait, i) => ({name: wait.replace(/_/g, " "), color: COLORS[i % COLORS.length]})), "core cycles");
  box.append("h2").text("Distributions");
}

function latencies(parent, run) {
  const box = section(parent, "latencies", "Latencies", "By level, all blocks of a kind together. A bar holds the samples up to its power of two (in cycles of the unit's clock).");
  if (!run.latencies.length) return nothing(box, "Nothing was measured.");
  attribution(box, run.access_times);
  const order = ["sm", "sm_l1", "up", "part_l2", "part_dram", "down"], level = one => {
    const place = order.indexOf(one.block.replace(/^.*\./, ""));
    return place < 0 ? order.length : place;
  };
  const charts = box.append("div").attr("class", "charts");
  for (const one of run.latencies.slice().sort((a, b) => level(a) - level(b))) {
    const card = charts.append("div");
    card.append("b").text(`${shortBlock(one.block)} ${one.name.replace(/_/g, " ")}`);
    card.append("div").text(`mean ${number(one.mean)}, at most ${whole(one.max)} ${one.unit}; ${whole(one.count)} samples`);
    card.attr("title", one.description);
    const margin = {left: 44, right: 8, top: 6, bottom: 34}, wide = 250, high = 100;
    const g = chart(card, "latency", wide + margin.left + margin.right, high + margin.top + margin.bottom, margin);
    const uppers = one.histogram.map(h => h[0]);
    const first = Math.floor(Math.log2(uppers[0] + 1)), last = Math.floor(Math.log2(uppers[uppers.length - 1] + 1));
    const x = d3.scaleBand(d3.range(first, last + 1), [0, wide]).padding(0.1).align(0);
    const y = d3.scaleLinear([0, d3.max(one.histogram, h => h[1])], [high, 0]).nice();
    g.append("g").attr("class", "axis").call(d3.axisLeft(y).ticks(4, "~s"));
    g.append("g").attr("class", "axis").attr("transform", `translate(0,${high})`).call(d3.axisBottom(x).tickFormat(b => d3.format("~s")(2 ** b - 1))
      .tickValues(x.domain().filter(b => (b - first) % Math.ceil((last - first + 1) / 7) === 0)));
    axisTitle(g, `up to ... ${one.unit}`, wide / 2, high + 30);
    for (const [upper, samples] of one.histogram)
      g.append("rect").attr("class", "mark").attr("x", x(Math.floor(Math.log2(upper + 1)))).attr("width", x.bandwidth()).attr("y", y(samples))
        .attr("height", high - y(samples)).attr("fill", COLORS[0]).append("title").text(`up to ${whole(upper)}: ${whole(samples)}`);
  }
}

function traffic(parent, run) {
  const box = section(parent, "traffic", "Traffic", "Bytes through the crossbars by sender and receiver, headers included. Homes are the L2 slices, one a partition.");
  if (!run.traffic.length) return nothing(box, "Nothing crossed a crossbar of the library's.");
  const classes = Array.from(new Set(run.traffic.map(t => t.class))).sort();
  const places = which => Array.from(new Set(run.traffic.map(t => t[which]))).sort((a, b) => d3.ascending(inOrder(a), inOrder(b)));
  const rows = places("from"), columns = places("to");
  choice(box, "Messages:", ["all classes"].concat(classes.map(c => c.replace(/_/g, " "))), draw);
  const picture = box.append("div");
  function draw(which) {
    picture.selectAll("*").remove();
    const cells = new Map();
    for (const way of run.traffic) {
      if (which !== 0 && way.class !== classes[which - 1]) continue;
      const row = rows.indexOf(way.from), column = columns.indexOf(way.to), place = row * columns.length + column;
      const cell = cells.get(place) || {row, column, value: 0, messages: 0};
      cell.value += way.bytes;
      cell.messages += way.messages;
      cell.text = `${way.from} to ${way.to}: ${whole(cell.value)} bytes in ${whole(cell.messages)} messages`;
      cells.set(place, cell);
    }
    heatMap(picture, "traffic", rows, columns, Array.from(cells.values()), "bytes", "receiver");
  }
  draw(0);
  box.append("h2").text("By class");
  stackedBars(box, "traffic_by_class", classes.map(c => ({name: c.replace(/_/g, " "),
    values: [d3.sum(run.traffic.filter(t => t.class === c), t => t.bytes)]})).filter(r => r.values[0] > 0), [{name: "bytes", color: COLORS[0]}], "bytes");
}

function hottest(parent, run) {
  const box = section(parent, "lines", "Hottest lines", "Lines of global memory for which warps waited longest: from issue of an instruction that touches the line to its answer, " +
    "summed over warps. An instruction that touches several lines counts for each of them, whichever it is that takes the time.");
  if (!run.lines.length) {
    nothing(box, "No warp waited for global memory.");
  } else {
    const sms = run.lines[0].by_sm.map((_, i) => `sm${i}`);
    heatMap(box, "lines", run.lines.map(l => l.line), sms, [].concat(...run.lines.map((l, row) => l.by_sm.map((value, column) =>
      ({row, column, value, text: `${l.line}, ${sms[column]}: ${whole(value)} cycles`})))), "cycles", "waiting SM");
    table(box, [{name: "line", of: l => l.line, kind: "code"}, {name: "loads", of: l => whole(l.loads), kind: "number"}, {name: "stores", of: l => whole(l.stores), kind: "number"},
      {name: "atomics", of: l => whole(l.atomics), kind: "number"}, {name: "cycles waited", of: l => whole(l.waited), kind: "number"},
      {name: "longest", of: l => whole(l.longest), kind: "number"}, {name: "SMs", of: l => l.by_sm.filter(v => v > 0).length, kind: "number"},
      {name: "waited at most by", of: l => `${shortPlace(l.waiter.place)} ${l.waiter.text}`, kind: "code"}], run.lines);
  }
  const where = section(parent, "instructions", "Hottest PTX lines", "Instructions at which warps stood longest: cycles between the issue of the instruction before and its own, summed over warps. " +
    "Memory: cycles from its issue until all of it was answered.");
  if (!run.instructions.length) return nothing(where, "No instruction was executed.");
  stackedBars(where.append("div").attr("class", "scroll"), "instructions", run.instructions.slice(0, 20).map(i => ({name: `${shortPlace(i.place).slice(0, 40)} ${i.text.slice(0, 50)}`, values: [i.stood]})),
    [{name: "stood", color: COLORS[1]}], "warp cycles");
  table(where, [{name: "place", of: i => shortPlace(i.place), kind: "code"}, {name: "instruction", of: i => i.text, kind: "code"}, {name: "kernel", of: i => i.kernel, kind: "code"},
    {name: "issued", of: i => whole(i.issued), kind: "number"}, {name: "threads each", of: i => i.issued ? i.threads / i.issued : 0, kind: "number"},
    {name: "stood", of: i => whole(i.stood), kind: "number"}, {name: "memory", of: i => whole(i.memory_cycles), kind: "number"}], run.instructions);
}

function statistics(parent, run) {
  const box = section(parent, "policies", "Policies", "What the chosen policies did: transitions and messages of the caches, what gates held back, and all of the blocks that only some policies bring.");
  const policy = run.statistics.filter(s => s.policy && s.unit !== "bytes" && s.value > 0 && s.count === undefined);
  const groups = d3.nest().key(s => `${shortBlock(s.block)}, ${s.unit}`).entries(policy);
  for (const {key, values} of groups) {
    box.append("b").text(key);
    const rows = values.sort((a, b) => b.value - a.value).slice(0, 16);
    stackedBars(box, "policy", rows.map(s => ({name: s.name, values: [s.value]})), [{name: "", color: COLORS[2]}], rows[0].unit);
  }
  if (!policy.length) nothing(box, "They counted nothing.");
  const all = section(parent, "statistics", "All statistics", "Sums over the blocks of a kind, of ratios the mean; what is 0 is left out.");
  const find = all.append("div").attr("class", "choice").append("label").text("With ").append("input").attr("type", "search");
  const body = table(all, [{name: "block", of: s => shortBlock(s.block), kind: "code"}, {name: "statistic", of: s => s.name, kind: "code"}, {name: "value", of: s => s.value, kind: "number"},
    {name: "samples", of: s => s.count === undefined ? "" : whole(s.count), kind: "number"}, {name: "unit", of: s => s.unit}, {name: "meaning", of: s => s.description}], run.statistics);
  find.on("input", function() {
    const wanted = this.value.toLowerCase();
    body.selectAll("tr").style("display", function() { return this.textContent.toLowerCase().includes(wanted) ? null : "none"; });
  });
}

// What tells a run of several from the others.
function labels(runs) {
  const facts = run => ({program: run.provenance.program, platform: run.provenance.platform, ...run.provenance.policies,
    seed: `seed ${run.provenance.seed}`, size: run.provenance.size, settings: run.provenance.settings.join(" ")});
  const all = runs.map(facts);
  const differing = Object.keys(all[0]).filter(key => new Set(all.map(f => f[key])).size > 1 && key !== "consistency");
  const policies = differing.filter(key => !["settings", "program", "platform", "seed", "size"].includes(key));
  // A setting that chooses a policy says the same again.
  const keys = differing.filter(key => key !== "settings" || !policies.length);
  return all.map((f, i) => keys.map(key => f[key]).filter(text => text).join(", ") || `run ${i + 1}`);
}

function comparison(parent, runs, names) {
  const box = section(parent, "comparison", "Side by side", "Relative numbers are over the first run of the same program.");
  const first = run => runs.find(other => other.provenance.program === run.provenance.program);
  table(box, [{name: "run", of: i => names[i]}, {name: "cycles", of: i => whole(runs[i].result.cycles), kind: "number"},
    {name: "speedup", of: i => first(runs[i]).result.cycles / runs[i].result.cycles, kind: "number"},
    {name: "warp instructions", of: i => whole(runs[i].result.warp_instructions), kind: "number"}, {name: "IPC", of: i => ipc(runs[i]), kind: "number"},
    {name: "verified", of: i => String(runs[i].result.verified)}], d3.range(runs.length));
  const relative = (title, name, parts, valuesOf) => {
    box.append("h2").text(title);
    const rows = runs.map((run, i) => {
      const whole = d3.sum(valuesOf(first(run))) || 1;
      return {name: names[i], values: valuesOf(run).map(v => v / whole)};
    });
    stackedBars(box, name, rows, parts, "of the first run of the program");
  };
  relative("Cycles", "compared_cycles", [{name: "cycles", color: COLORS[0]}], run => [run.result.cycles]);
  const reasons = Array.from(new Set([].concat(...runs.map(r => r.stalls.reasons))));
  relative("Issue slots of all SMs", "compared_stalls", reasons.map((name, i) => ({name: name.replace(/_/g, " "), color: COLORS[i % COLORS.length]})),
    run => reasons.map(reason => { const at = run.stalls.reasons.indexOf(reason); return at < 0 ? 0 : d3.sum(run.stalls.run, row => row[at]); }));
  const classes = Array.from(new Set([].concat(...runs.map(r => r.traffic.map(t => t.class))))).sort();
  relative("Bytes through the crossbars", "compared_traffic", classes.map((name, i) => ({name: name.replace(/_/g, " "), color: COLORS[i % COLORS.length]})),
    run => classes.map(c => d3.sum(run.traffic.filter(t => t.class === c), t => t.bytes)));
}

// A section that the program has added (sections.h). What its script throws is told where it would stand.
function ownSection(parent, run, own) {
  const box = section(parent, `own_${own.name}`, own.title, own.note);
  const data = (run.sections || {})[own.name];
  if (data === undefined) return nothing(box, "This run has no data of the section.");
  try {
    own.draw(box, data, run);
  } catch (error) {
    console.error(error);
    nothing(box, `The section cannot be drawn: ${error.message}`);
  }
}

function drawRun(parent, run) {
  parent.selectAll("*").remove();
  for (const part of [provenance, kernels, stalls, course, roofline, latencies, traffic, hottest, statistics]) part(parent, run);
  for (const own of SECTIONS) ownSection(parent, run, own);
}

function draw() {
  const main = d3.select("main"), runs = MODEL.runs, names = labels(runs);
  if (runs.length > 1) comparison(main, runs, names);
  const one = main.append("div");
  if (runs.length > 1) choice(d3.select("#chosen"), "Below:", names, i => drawRun(one, runs[i]));
  else d3.select("#chosen").text([runs[0].provenance.platform, policyText(runs[0].provenance.policies)].filter(t => t).join(", "));
  drawRun(one, runs[0]);
  document.documentElement.setAttribute("data-drawn", "whole");
}

draw();
