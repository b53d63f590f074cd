import { useData, withBase } from 'vitepress';
import { defineComponent, h, onBeforeUnmount, onMounted, ref, watch } from 'vue';
import { loadScript } from './load-script.ts';

interface Reference {
  updateConfiguration(configuration: object): void;
  destroy(): void;
}

declare global {
  interface Window {
    /** The API of the script, once it has run. */
    Scalar?: { createApiReference(element: Element, configuration: object): Reference };
  }
}

/** The styles that the script has added. Other pages must not have them. */
let styles: Element | null = null;

/** An OpenAPI document as the gateway's own reference page shows it, without its try-out: this site is no gateway. */
export const ApiReference = defineComponent({
  props: { document: { type: String, required: true } },
  setup(props) {
    const { isDark } = useData();
    const place = ref<HTMLElement>();
    let reference: Reference | undefined;
    const configuration = () => ({
      url: withBase(`/reference/${props.document}`),
      servers: [{ url: 'http://127.0.0.1:8080', description: 'npm start' }],
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      hideTestRequestButton: true,
      hideDarkModeToggle: true,
      showDeveloperTools: 'never',
      mcp: { disabled: true },
      agent: { disabled: true },
      persistAuth: false,
      authentication: { preferredSecurityScheme: 'organizationId' },
      defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
      forceDarkModeState: isDark.value ? 'dark' : 'light',
    });
    onMounted(async () => {
      // The script would take an element of this id for a document: the heading of the page has it.
      document.getElementById('api-reference')?.removeAttribute('id');
      await loadScript('/reference/scalar.js');
      if (!place.value) return;
      styles ??= document.getElementById('scalar-style');
      if (styles) document.head.append(styles);
      reference = window.Scalar?.createApiReference(place.value, configuration());
      watch(isDark, () => reference?.updateConfiguration(configuration()));
    });
    onBeforeUnmount(() => {
      reference?.destroy();
      styles?.remove();
    });
    // A section: the header in it is not one of the whole page. vp-raw: VitePress's router leaves its links alone.
    return () => h('section', { ref: place, class: 'api-reference vp-raw' });
  },
});
