import { createElement, forwardRef, useEffect, useImperativeHandle, useRef, type CSSProperties } from 'react';
import { ClassroomFrame } from './classroom-frame.js';
import { IFRAME_STYLE, load } from './classroom-iframe.js';
import { EVENT_TYPES, type ClassroomListener } from './event-types.js';
import { IFRAME_ALLOW, type ClassroomEventType } from './protocol.js';

type Pascal<S extends string> = S extends `${infer Head}_${infer Rest}` ? `${Capitalize<Head>}${Pascal<Rest>}` : Capitalize<S>;
type Handlers = { [T in ClassroomEventType as `on${Pascal<T>}`]?: ClassroomListener<T> };

const HANDLERS: { [T in ClassroomEventType]: `on${Pascal<T>}` } = {
  connected: 'onConnected',
  disconnected: 'onDisconnected',
  participant_joined: 'onParticipantJoined',
  participant_left: 'onParticipantLeft',
  class_ended: 'onClassEnded',
  class_ending_soon: 'onClassEndingSoon',
  participant_removed: 'onParticipantRemoved',
  board_changed: 'onBoardChanged',
  recording_started: 'onRecordingStarted',
  recording_stopped: 'onRecordingStopped',
  quality_changed: 'onQualityChanged',
  connection_quality_changed: 'onConnectionQualityChanged',
  notification_count_changed: 'onNotificationCountChanged',
  state_changed: 'onStateChanged',
  error: 'onError',
};

export interface VirtualClassroomProps extends Handlers {
  /** The `iframeUrl` of a join. A different URL loads another class. */
  src: string;
  /** The name of the frame for screen readers. */
  title?: string;
  className?: string;
  style?: CSSProperties;
}

/** The commands that the host may send. Each resolves once it is done, and rejects with an Error that states the reason. */
export type VirtualClassroomHandle = Pick<
  ClassroomFrame,
  'leave' | 'setMicrophone' | 'setCamera' | 'startScreenShare' | 'raiseHand' | 'setLayout'
>;

/** The class in an iframe. The handlers may change with every render; the class is not affected. */
export const VirtualClassroom = forwardRef<VirtualClassroomHandle, VirtualClassroomProps>(function VirtualClassroom(props, ref) {
  const { src, title, className, style } = props;
  const iframe = useRef<HTMLIFrameElement>(null);
  const frame = useRef<ClassroomFrame>(undefined);
  const handlers = useRef<Handlers>(props);

  useEffect(() => {
    handlers.current = props;
  });

  // The URL is set here and not in the markup: in a page rendered on a server, the class would start before any listener
  // exists. Under StrictMode this effect runs twice on one iframe, which loads once.
  useEffect(() => {
    if (!iframe.current) return undefined;
    const opened = new ClassroomFrame(iframe.current);
    for (const type of EVENT_TYPES) {
      opened.on(type, (data, envelope) =>
        (handlers.current[HANDLERS[type]] as ClassroomListener<typeof type> | undefined)?.(data, envelope),
      );
    }
    frame.current = opened;
    load(iframe.current, src);
    return () => {
      opened.close();
      frame.current = undefined;
    };
  }, [src]);

  useImperativeHandle(ref, () => {
    const runCommand = async (command: (frame: ClassroomFrame) => Promise<void>) => {
      if (!frame.current) throw new Error('the classroom is not on the page');
      await command(frame.current);
    };
    return {
      leave: () => runCommand((frame) => frame.leave()),
      setMicrophone: (enabled) => runCommand((frame) => frame.setMicrophone(enabled)),
      setCamera: (enabled) => runCommand((frame) => frame.setCamera(enabled)),
      startScreenShare: () => runCommand((frame) => frame.startScreenShare()),
      raiseHand: (raised) => runCommand((frame) => frame.raiseHand(raised)),
      setLayout: (layout) => runCommand((frame) => frame.setLayout(layout)),
    };
  }, []);

  return createElement('iframe', {
    key: src,
    ref: iframe,
    title,
    className,
    style: { ...IFRAME_STYLE, ...style },
    allow: IFRAME_ALLOW,
    referrerPolicy: 'strict-origin-when-cross-origin',
  });
});
