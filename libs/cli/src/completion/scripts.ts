import type { Place, Word } from './tree.js';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const words = (list: readonly Word[]) => list.map(({ word }) => word).join(' ');
const alternatives = (list: readonly string[]) => list.map((it) => `"${it}"`).join('|');
const joined = (lines: readonly string[], indent: string) => lines.map((line) => `${indent}${line}\n`).join('');

/** The patterns of a `case` over the command so far and an option that takes a value. */
function valueCases(places: readonly Place[], complete: (choices: readonly string[]) => string, files: string): string[] {
  const patterns = new Map<string, string[]>();
  for (const { path, valued } of places) {
    for (const { flags, choices } of valued) {
      const key = choices.length > 0 ? complete(choices) : files;
      patterns.set(key, [...(patterns.get(key) ?? []), ...flags.map((flag) => `${path} ${flag}`)]);
    }
  }
  return [...patterns].map(([body, list]) => `${alternatives(list)}) ${body}; return ;;`);
}

const commandPaths = (places: readonly Place[]) => alternatives(places.slice(1).map(({ path }) => path));

/** For `eval "$(vc completion bash)"`. An option's value without fixed choices is completed as a file. */
export const bashScript = (name: string, places: readonly Place[]): string => `# ${name} completion bash
_${name}() {
  local word path=${name} cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
      ${commandPaths(places)}) path="$path $word" ;;
    esac
  done
  case "$path $prev" in
${joined(
  valueCases(
    places,
    (choices) => `COMPREPLY=($(compgen -W ${quoted(choices.join(' '))} -- "$cur"))`,
    'COMPREPLY=($(compgen -f -- "$cur"))',
  ),
  '    ',
)}  esac
  local options='' commands=''
  case "$path" in
${joined(
  places.map(({ path, commands, options }) => `"${path}") commands=${quoted(words(commands))} options=${quoted(words(options))} ;;`),
  '    ',
)}  esac
  if [[ $cur == -* || -z $commands ]]; then commands=$options; fi
  COMPREPLY=($(compgen -W "$commands" -- "$cur"))
}
complete -o filenames -F _${name} ${name}
`;

const described = (list: readonly Word[]) =>
  list.map(({ word, description }) => quoted(`${word.replaceAll(':', '\\:')}:${description}`)).join(' ');

/** For a file \`_vc\` in a folder of \`fpath\`, or \`eval "$(vc completion zsh)"\` after \`compinit\`. */
export const zshScript = (name: string, places: readonly Place[]): string => `#compdef ${name}
_${name}() {
  local word path_=${name} cur="\${words[CURRENT]}" prev="\${words[CURRENT-1]}"
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$path_ $word" in
      ${commandPaths(places)}) path_="$path_ $word" ;;
    esac
  done
  case "$path_ $prev" in
${joined(
  valueCases(places, (choices) => `compadd -- ${choices.map(quoted).join(' ')}`, '_files'),
  '    ',
)}  esac
  case "$path_" in
${joined(
  places.map(({ path, commands, options }) => `"${path}") commands=(${described(commands)}) options=(${described(options)}) ;;`),
  '    ',
)}  esac
  if [[ $cur == -* || \${#commands} -eq 0 ]]; then
    _describe -o option options
  else
    _describe command commands
  fi
}
if [[ \${funcstack[1]} == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;

const fishQuoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** For \`vc completion fish | source\`. */
export function fishScript(name: string, places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, options, valued }) => {
    const at = `complete -c ${name} -n ${fishQuoted(`__${name}_at "${path}"`)}`;
    return [
      ...commands.map(({ word, description }) => `${at} -f -a ${fishQuoted(word)} -d ${fishQuoted(description)}`),
      ...options.map(({ word, description }) => {
        const value = valued.find(({ flags }) => flags.includes(word));
        const takes = value === undefined ? '' : value.choices.length > 0 ? ` -x -a ${fishQuoted(value.choices.join(' '))}` : ' -r';
        return `${at} -l ${word.slice('--'.length)}${takes} -d ${fishQuoted(description)}`;
      }),
    ];
  });
  return `# ${name} completion fish
function __${name}_at
    set -l path ${name}
    for word in (commandline -opc)[2..-1]
        contains -- "$path $word" ${places
          .slice(1)
          .map(({ path }) => fishQuoted(path))
          .join(' ')}
        and set path "$path $word"
    end
    test "$path" = "$argv[1]"
end
complete -c ${name} -f
${lines.join('\n')}
`;
}
