import { useData } from 'vitepress';
import { defineComponent, h, onMounted, ref, useId, watch } from 'vue';
import type { Mermaid as Api } from 'mermaid';
import { loadScript } from './load-script.ts';

declare global {
  interface Window {
    /** Set by the script. */
    mermaid?: Api;
  }
}

/** Mermaid calculates with colors, so it needs values instead of the tokens' variables. */
function colorOf(token: string, isDark: boolean): string {
  const probe = document.body.appendChild(document.createElement('span'));
  probe.style.colorScheme = isDark ? 'dark' : 'light';
  probe.style.color = `var(${token})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** A ```mermaid block, drawn in the browser in the colors of the theme. Without scripts, its text. */
export const Mermaid = defineComponent({
  props: { code: { type: String, required: true } },
  setup(props) {
    const { isDark } = useData();
    const id = `diagram-${useId()}`;
    const code = decodeURIComponent(props.code);
    const drawing = ref('');
    async function draw(): Promise<void> {
      await loadScript('/mermaid/load.mjs');
      const { mermaid } = window;
      if (!mermaid) return;
      const color = (token: string) => colorOf(token, isDark.value);
      mermaid.initialize({
        startOnLoad: false,
        theme: 'base',
        themeVariables: {
          darkMode: isDark.value,
          fontFamily: getComputedStyle(document.body).fontFamily,
          background: color('--ground'),
          primaryColor: color('--tile'),
          primaryTextColor: color('--text'),
          primaryBorderColor: color('--accent'),
          lineColor: color('--muted'),
          clusterBkg: color('--ground'),
          clusterBorder: color('--line'),
          edgeLabelBackground: color('--ground'),
          noteBkgColor: color('--raised'),
          noteTextColor: color('--text'),
          noteBorderColor: color('--accent'),
        },
      });
      drawing.value = (await mermaid.render(id, code)).svg;
    }
    onMounted(() => watch(isDark, draw, { immediate: true }));
    // On a phone, the keyboard scrolls it too.
    return () =>
      drawing.value
        ? h('figure', { class: 'diagram', tabindex: 0, 'aria-label': 'Diagram', innerHTML: drawing.value })
        : h('pre', { class: 'diagram', tabindex: 0 }, code);
  },
});
