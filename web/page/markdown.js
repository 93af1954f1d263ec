// Shows the Markdown of docs/dolls.md. Text becomes text nodes only.

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function inline(text, into) {
  for (const part of text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]*\]\([^)]*\))/)) {
    if (part.startsWith('`') && part.length > 1) into.append(element('code', {textContent: part.slice(1, -1)}));
    else if (part.startsWith('**')) inline(part.slice(2, -2), into.appendChild(element('strong')));
    else if (/^\[[^\]]*\]\(/.test(part)) inline(part.slice(1, part.indexOf('](')), into);
    else into.append(part.replaceAll('\\|', '|'));
  }
  return into;
}

const cells = line =>
  line
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim());

// `pictures` has the addresses of pictures by their places in the text; others are left out.
export function render(markdown, pictures = {}) {
  const page = element('div', {className: 'page'});
  const lines = markdown.replaceAll('\r', '').split('\n');
  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    const run = belongs => {
      const from = at;
      while (at < lines.length && belongs(lines[at])) at++;
      return lines.slice(from, at);
    };
    if (line.startsWith('```')) {
      at++;
      const code = run(next => !next.startsWith('```')).join('\n');
      at++;
      page.append(element('pre', {}, element('code', {textContent: code})));
    } else if (/^!\[.*\]\(.*\)$/.test(line)) {
      at++;
      const [, alt, place] = line.match(/^!\[(.*)\]\((.*)\)$/);
      if (Object.hasOwn(pictures, place)) page.append(element('img', {alt, src: pictures[place]}));
    } else if (line.startsWith('|')) {
      const [head, , ...rows] = run(next => next.startsWith('|'));
      const row = kind => text => element('tr', {}, ...cells(text).map(cell => inline(cell, element(kind))));
      page.append(element('table', {}, row('th')(head), ...rows.map(row('td'))));
    } else if (line.startsWith('#')) {
      at++;
      page.append(inline(line.replace(/^#+ */, '').replaceAll('`', ''), element('h3')));
    } else if (/^[-*] /.test(line)) {
      const items = [];
      for (const text of run(next => /^[-*] |^ {2}\S/.test(next))) {
        if (/^[-*] /.test(text)) items.push(text.slice(2));
        else items[items.length - 1] += ` ${text.trim()}`;
      }
      page.append(element('ul', {}, ...items.map(item => inline(item, element('li')))));
    } else if (line.trim() === '') at++;
    else {
      const from = at++;
      run(next => next.trim() !== '' && !/^(```|\||#|[-*] )/.test(next));
      page.append(inline(lines.slice(from, at).join(' '), element('p')));
    }
  }
  return page;
}
