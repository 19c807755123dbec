// A list to put in order, lowest first: two buttons for each name, and a grip to drag it by.
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector('.order'), drawn = JSON.stringify([[...data.names].sort(), data.version]);
  if (root.drawn === drawn) return;
  root.drawn = drawn;
  let names = [...data.names];
  const list = document.createElement('ol'), said = document.createElement('p');
  said.setAttribute('role', 'status');
  const make = (tag, name, text) => { const element = document.createElement(tag); element.className = name; element.textContent = text; return element; };
  function move(from, to, focus) {
    if (to < 0 || to >= names.length || to === from) return;
    const [name] = names.splice(from, 1);
    names.splice(to, 0, name);
    show();
    said.textContent = `${name} is now ${to + 1} of ${names.length}.`;
    const button = list.children[to].querySelector(`.${focus}`);
    if (button) (button.disabled ? list.children[to].querySelector('button:not(:disabled)') : button).focus();
    setStateValue('names', [...names]);
  }
  function show() {
    list.replaceChildren(...names.map((name, i) => {
      const line = make('li', '', ''), grip = make('span', 'grip', '⠿'), up = make('button', 'up', '↑'), down = make('button', 'down', '↓');
      grip.setAttribute('aria-hidden', 'true');
      up.setAttribute('aria-label', `${name}: lower on the scale`);
      down.setAttribute('aria-label', `${name}: higher on the scale`);
      up.disabled = i === 0;
      down.disabled = i === names.length - 1;
      up.onclick = () => move(i, i - 1, 'up');
      down.onclick = () => move(i, i + 1, 'down');
      grip.onpointerdown = event => {
        event.preventDefault();
        grip.setPointerCapture(event.pointerId);
        line.classList.add('held');
        grip.onpointerup = grip.onpointercancel = at => {
          grip.onpointerup = grip.onpointercancel = null;
          line.classList.remove('held');
          if (at.type === 'pointercancel') return;
          const below = [...list.children].findIndex(other => at.clientY < other.getBoundingClientRect().bottom);
          move(i, below < 0 ? names.length - 1 : below, 'none');
        };
      };
      line.append(grip, make('span', 'name', name), up, down);
      return line;
    }));
  }
  show();
  root.replaceChildren(list, said);
}
