/** Methods that take one argument for each element. */
const METHODS = new Set(['add', 'append', 'concat', 'prepend', 'push', 'replaceChildren', 'replaceWith', 'splice', 'unshift']);
const OBJECTS = new Set(['Math', 'String']);

const takesElements = ({ type, callee }) =>
  type === 'NewExpression' ||
  (callee.type === 'MemberExpression' &&
    (OBJECTS.has(callee.object.name) || (callee.property.type === 'Identifier' && METHODS.has(callee.property.name))));

/** An array that is written out has few elements. */
const isWritten = ({ type, elements }) => type === 'ArrayExpression' && elements.every((element) => element?.type !== 'SpreadElement');

/** Arguments lie on the stack: from about 125,000 on, a call throws a RangeError. No rule of oxlint or of a kept plugin finds them. */
const noListArguments = {
  create(context) {
    const check = (node) => {
      if (!takesElements(node)) return;
      for (const argument of node.arguments) {
        if (argument.type === 'SpreadElement' && !isWritten(argument.argument))
          context.report({ node: argument, message: 'A long list overflows the stack as arguments: use a loop, reduce or one array.' });
      }
    };
    return { CallExpression: check, NewExpression: check };
  },
};

export default { meta: { name: 'lists' }, rules: { 'no-list-arguments': noListArguments } };
