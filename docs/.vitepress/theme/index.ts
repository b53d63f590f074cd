import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';
import { ApiReference } from './api-reference.ts';
import { Layout } from './layout.ts';
import { Mermaid } from './mermaid.ts';

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component('Mermaid', Mermaid).component('ApiReference', ApiReference);
  },
} satisfies Theme;
