import { Controller } from '@nestjs/common';
import { interactionRpc, type RpcInput } from '@classroom/contracts';
import { RpcHandler } from '@classroom/messaging';
import { ChangeRoom } from '../interaction/change-room.js';
import { Mute } from '../moderation/mute.js';
import { Speaking } from '../moderation/speaking.js';
import { Chat } from '../interaction/chat.js';
import { Hands } from '../interaction/hands.js';
import { OwnClassState } from '../interaction/own-class-state.js';
import { Polls } from '../interaction/polls.js';
import { Reactions } from '../interaction/reactions.js';

type Rpc = typeof interactionRpc;

@Controller()
export class InteractionRpc {
  constructor(
    private readonly ownState: OwnClassState,
    private readonly hands: Hands,
    private readonly muting: Mute,
    private readonly speaking: Speaking,
    private readonly chat: Chat,
    private readonly reactions: Reactions,
    private readonly pollBook: Polls,
    private readonly roomChange: ChangeRoom,
  ) {}

  @RpcHandler(interactionRpc.state)
  async state({ caller, after }: RpcInput<Rpc['state']>) {
    return this.ownState.execute(caller, after);
  }

  @RpcHandler(interactionRpc.raiseHand)
  async raiseHand({ caller, raised }: RpcInput<Rpc['raiseHand']>) {
    return this.hands.raise(caller, raised);
  }

  @RpcHandler(interactionRpc.lowerHand)
  async lowerHand({ caller, uid }: RpcInput<Rpc['lowerHand']>) {
    return this.hands.lower(caller, uid);
  }

  @RpcHandler(interactionRpc.lowerAllHands)
  async lowerAllHands({ caller }: RpcInput<Rpc['lowerAllHands']>) {
    return this.hands.lowerAll(caller);
  }

  @RpcHandler(interactionRpc.mute)
  async mute({ caller, uid, source }: RpcInput<Rpc['mute']>) {
    return this.muting.one(caller, uid, source);
  }

  @RpcHandler(interactionRpc.muteEveryone)
  async muteEveryone({ caller }: RpcInput<Rpc['muteEveryone']>) {
    return this.muting.everyone(caller);
  }

  @RpcHandler(interactionRpc.allowToSpeak)
  async allowToSpeak({ caller, uid, allowed }: RpcInput<Rpc['allowToSpeak']>) {
    return this.speaking.allow(caller, uid, allowed);
  }

  @RpcHandler(interactionRpc.sendChat)
  async sendChat({ caller, text, id }: RpcInput<Rpc['sendChat']>) {
    return this.chat.send(caller, text, id);
  }

  @RpcHandler(interactionRpc.listChat)
  async listChat({ caller, before, limit }: RpcInput<Rpc['listChat']>) {
    return this.chat.list(caller, { before, limit });
  }

  @RpcHandler(interactionRpc.react)
  async react({ caller, emoji }: RpcInput<Rpc['react']>) {
    return this.reactions.send(caller, emoji);
  }

  @RpcHandler(interactionRpc.createPoll)
  async createPoll(input: RpcInput<Rpc['createPoll']>) {
    return this.pollBook.create(input);
  }

  @RpcHandler(interactionRpc.vote)
  async vote(input: RpcInput<Rpc['vote']>) {
    return this.pollBook.vote(input);
  }

  @RpcHandler(interactionRpc.closePoll)
  async closePoll(input: RpcInput<Rpc['closePoll']>) {
    return this.pollBook.close(input);
  }

  @RpcHandler(interactionRpc.changeRoom)
  async changeRoom({ caller, change }: RpcInput<Rpc['changeRoom']>) {
    return this.roomChange.execute(caller, change);
  }

  @RpcHandler(interactionRpc.polls)
  async polls(input: RpcInput<Rpc['polls']>) {
    return (await this.pollBook.report(input)).polls;
  }

  @RpcHandler(interactionRpc.pollPage)
  async pollPage(input: RpcInput<Rpc['pollPage']>) {
    return this.pollBook.report(input);
  }
}
