import { Controller } from '@nestjs/common';
import {
  allowToSpeak,
  changeRoomInClass,
  closePoll,
  createPoll,
  getClassState,
  interactionRpc,
  listChatMessages,
  lowerAllHands,
  lowerHand,
  muteEveryone,
  muteParticipant,
  raiseHand,
  sendChatMessage,
  sendReaction,
  votePoll,
  type ClassroomCaller,
  type EndpointInput,
} from '@classroom/contracts';
import { RpcClient } from '@classroom/messaging';
import { CallingParticipant, Endpoint, Input } from '../http/endpoint.js';
import { success } from '../http/envelope.js';

/** What people in a class do beside talking. Who may do what is the room service's to say. */
@Controller()
export class InteractionController {
  constructor(private readonly rpc: RpcClient) {}

  @Endpoint(getClassState)
  async state(@CallingParticipant() caller: ClassroomCaller, @Input() { query }: EndpointInput<typeof getClassState>) {
    return success(await this.rpc.call(interactionRpc.state, { caller, ...query }));
  }

  @Endpoint(raiseHand)
  async raise(@CallingParticipant() caller: ClassroomCaller, @Input() { body }: EndpointInput<typeof raiseHand>) {
    return success(await this.rpc.call(interactionRpc.raiseHand, { caller, ...body }), body.raised ? 'Hand raised' : 'Hand lowered');
  }

  @Endpoint(lowerHand)
  async lower(@CallingParticipant() caller: ClassroomCaller, @Input() { params }: EndpointInput<typeof lowerHand>) {
    return success(await this.rpc.call(interactionRpc.lowerHand, { caller, ...params }), 'Hand lowered');
  }

  @Endpoint(lowerAllHands)
  async lowerAll(@CallingParticipant() caller: ClassroomCaller) {
    return success(await this.rpc.call(interactionRpc.lowerAllHands, { caller }), 'Hands lowered');
  }

  @Endpoint(muteParticipant)
  async mute(@CallingParticipant() caller: ClassroomCaller, @Input() { params, body }: EndpointInput<typeof muteParticipant>) {
    return success(await this.rpc.call(interactionRpc.mute, { caller, ...params, ...body }), 'Participant muted');
  }

  @Endpoint(muteEveryone)
  async muteAll(@CallingParticipant() caller: ClassroomCaller) {
    return success(await this.rpc.call(interactionRpc.muteEveryone, { caller }), 'Everyone muted');
  }

  @Endpoint(allowToSpeak)
  async allow(@CallingParticipant() caller: ClassroomCaller, @Input() { params, body }: EndpointInput<typeof allowToSpeak>) {
    const message = body.allowed ? 'Participant may speak' : 'Participant may no longer speak';
    return success(await this.rpc.call(interactionRpc.allowToSpeak, { caller, ...params, ...body }), message);
  }

  @Endpoint(sendChatMessage)
  async say(@CallingParticipant() caller: ClassroomCaller, @Input() { body }: EndpointInput<typeof sendChatMessage>) {
    return success(await this.rpc.call(interactionRpc.sendChat, { caller, ...body }), 'Message sent');
  }

  @Endpoint(listChatMessages)
  async messages(@CallingParticipant() caller: ClassroomCaller, @Input() { query }: EndpointInput<typeof listChatMessages>) {
    return success(await this.rpc.call(interactionRpc.listChat, { caller, ...query }));
  }

  @Endpoint(sendReaction)
  async react(@CallingParticipant() caller: ClassroomCaller, @Input() { body }: EndpointInput<typeof sendReaction>) {
    return success(await this.rpc.call(interactionRpc.react, { caller, ...body }));
  }

  @Endpoint(createPoll)
  async ask(@CallingParticipant() caller: ClassroomCaller, @Input() { body }: EndpointInput<typeof createPoll>) {
    return success(await this.rpc.call(interactionRpc.createPoll, { caller, ...body }), 'Poll created');
  }

  @Endpoint(votePoll)
  async vote(@CallingParticipant() caller: ClassroomCaller, @Input() { params, body }: EndpointInput<typeof votePoll>) {
    return success(await this.rpc.call(interactionRpc.vote, { caller, ...params, ...body }), 'Vote counted');
  }

  @Endpoint(closePoll)
  async close(@CallingParticipant() caller: ClassroomCaller, @Input() { params }: EndpointInput<typeof closePoll>) {
    return success(await this.rpc.call(interactionRpc.closePoll, { caller, ...params }), 'Poll closed');
  }

  @Endpoint(changeRoomInClass)
  async change(@CallingParticipant() caller: ClassroomCaller, @Input() { body }: EndpointInput<typeof changeRoomInClass>) {
    return success(await this.rpc.call(interactionRpc.changeRoom, { caller, change: body }), 'Room changed');
  }
}
