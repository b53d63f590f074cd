import { withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';

const search = () => document.querySelector<HTMLElement>('.DocSearch-Button')?.click();

const notFound = () =>
  h('main', { class: 'not-found' }, [
    h('h1', 'This page does not exist'),
    h('p', 'Pages of another version may have other addresses. The search finds them by their words.'),
    h('p', [h('button', { type: 'button', onClick: search }, 'Search'), h('a', { href: withBase('/') }, 'Overview')]),
  ]);

export const Layout = () => h(DefaultTheme.Layout, null, { 'not-found': notFound });
