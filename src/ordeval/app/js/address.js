// The address follows the page without a new entry in the history; and the page follows the system's theme.
export default function ({ data, setTriggerValue }) {
  const wanted = data.query ? `?${data.query}` : '', here = location.pathname.replace(/\/+$/, ''), base = data.base.replace(/\/+$/, '');
  const page = here.startsWith(base) ? here.slice(base.length).replace(/^\/+/, '') : here;
  if (page === data.page && location.search !== wanted) history.replaceState(history.state, '', location.pathname + wanted + location.hash);
  // on narrow screens Streamlit's menu puts items of a list into no list: a plain row of links says as much
  document.querySelectorAll('[data-testid=stSidebarNav] ul, [data-testid=stSidebarNav] li, [data-testid=stSidebarNavItems], [data-testid=stSidebarNavItems] li').forEach(item => item.setAttribute('role', 'none'));
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const tell = () => setTimeout(() => setTriggerValue('theme', Date.now()), 200);  // the page itself changes first
  dark.addEventListener('change', tell);
  return () => dark.removeEventListener('change', tell);
}
