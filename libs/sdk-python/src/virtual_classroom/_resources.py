# Written by `npm run generate -- reference` from the contracts.
"""The methods of the clients."""

from __future__ import annotations

from typing import AsyncGenerator, Generator, Unpack, cast

from . import types
from ._answers import NdjsonAnswer, ServerSentAnswer, AnswerEvent, read_answer, read_answer_async
from ._events import AsyncEvents, Events
from ._pages import AsyncPages, Pages, with_cursor
from ._request import RequestOptions
from ._transport import AsyncTransport, Transport


class RoomsChat:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def list(self, room_id: str, query: types.ListRoomChatQuery | None = None, **options: Unpack[RequestOptions]) -> Pages[types.ListRoomChatData, types.ChatMessage]:
        """Returns the chat of a room, also after the class: all messages, those to the teachers included, with the number of their reports."""

        def fetch(cursor: str | None) -> types.ListRoomChatData:
            return cast(types.ListRoomChatData, self._api.call("GET", "/v1/room/{roomId}/chat", params={"roomId": room_id}, query=with_cursor(query, cursor), options=options))

        return Pages(fetch, lambda page: page["messages"], lambda page: page.get("nextCursor"))

    def list_csv(self, room_id: str, query: types.ListRoomChatQuery | None = None, **options: Unpack[RequestOptions]) -> str:
        """The same as a CSV file."""
        return self._api.csv("GET", "/v1/room/{roomId}/chat", params={"roomId": room_id}, query={**(query or {}), "export": "csv"}, options=options)

    def delete(self, room_id: str, message_id: str, **options: Unpack[RequestOptions]) -> types.ChatMessage:
        """Erases the text of a message for everyone, also after the class; who wrote it and when it was deleted remain. Deleting it again changes nothing."""
        return cast(types.ChatMessage, self._api.call("DELETE", "/v1/room/{roomId}/chat/{messageId}", params={"roomId": room_id, "messageId": message_id}, options=options))


class RoomsParticipants:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def list(self, room_id: str, query: types.ListParticipantsQuery | None = None, **options: Unpack[RequestOptions]) -> Pages[types.ListParticipantsData, types.Participant]:
        """Returns everyone for whom a token was created, and whether they are connected now. Also works after the class."""

        def fetch(cursor: str | None) -> types.ListParticipantsData:
            return cast(types.ListParticipantsData, self._api.call("GET", "/v1/room/{roomId}/participants", params={"roomId": room_id}, query=with_cursor(query, cursor), options=options))

        return Pages(fetch, lambda page: page["participants"], lambda page: page.get("nextCursor"))

    def get(self, room_id: str, uid: str, **options: Unpack[RequestOptions]) -> types.Participant:
        """Returns one participant of a room, and whether they are connected now. Also works after the class."""
        return cast(types.Participant, self._api.call("GET", "/v1/room/{roomId}/participants/{uid}", params={"roomId": room_id, "uid": uid}, options=options))

    def change_role(self, room_id: str, uid: str, body: types.ChangeRoleBody, **options: Unpack[RequestOptions]) -> types.ChangedRole:
        """Changes the role of a participant immediately. The new role overrides the one in their token."""
        return cast(types.ChangedRole, self._api.call("PATCH", "/v1/room/{roomId}/participants/{uid}", params={"roomId": room_id, "uid": uid}, body=body, options=options))

    def mute(self, room_id: str, uid: str, body: types.MuteParticipantBody | None = None, **options: Unpack[RequestOptions]) -> types.MutedParticipant:
        """Mutes a track of a participant. Only the participant can unmute it."""
        return cast(types.MutedParticipant, self._api.call("POST", "/v1/room/{roomId}/participants/{uid}/mute", params={"roomId": room_id, "uid": uid}, body=body or {}, options=options))

    def remove(self, room_id: str, uid: str, **options: Unpack[RequestOptions]) -> types.RemovedParticipant:
        """Disconnects a participant and revokes their tokens. A token created later admits them again."""
        return cast(types.RemovedParticipant, self._api.call("POST", "/v1/room/{roomId}/participants/{uid}/remove", params={"roomId": room_id, "uid": uid}, options=options))

    def quality(self, room_id: str, uid: str, **options: Unpack[RequestOptions]) -> types.ParticipantQuality:
        """Answers why a class was bad for a participant: a verdict, the causes in words, and each minute as the class page measured it. Works during the class and after it."""
        return cast(types.ParticipantQuality, self._api.call("GET", "/v1/room/{roomId}/participants/{uid}/quality", params={"roomId": room_id, "uid": uid}, options=options))


class RoomsWaiting:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def list(self, room_id: str, **options: Unpack[RequestOptions]) -> types.ListWaitingData:
        """Returns the participants in the waiting room, the longest waiting first: the first 500."""
        return cast(types.ListWaitingData, self._api.call("GET", "/v1/room/{roomId}/waiting", params={"roomId": room_id}, options=options))

    def decide(self, room_id: str, uid: str, body: types.DecideAdmissionBody, **options: Unpack[RequestOptions]) -> types.DecidedAdmission:
        """Admits a participant from the waiting room, also before they come, or refuses them."""
        return cast(types.DecidedAdmission, self._api.call("POST", "/v1/room/{roomId}/participants/{uid}/admission", params={"roomId": room_id, "uid": uid}, body=body, options=options))

    def admit_all(self, room_id: str, **options: Unpack[RequestOptions]) -> types.AdmitEveryoneData:
        """Admits everyone who is waiting."""
        return cast(types.AdmitEveryoneData, self._api.call("POST", "/v1/room/{roomId}/admit-all", params={"roomId": room_id}, options=options))


class RoomsDocuments:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def create(self, room_id: str, body: types.CreateDocumentBody, **options: Unpack[RequestOptions]) -> types.CreatedDocument:
        """Adds a document to a class: returns its upload URL, or loads the file from `url`. Each page becomes a picture, and its text part of what the tutor knows. A class has at most 100 documents, a document 500 pages."""
        return cast(types.CreatedDocument, self._api.call("POST", "/v1/room/{roomId}/documents", params={"roomId": room_id}, body=body, options=options))

    def list(self, room_id: str, **options: Unpack[RequestOptions]) -> types.ListDocumentsData:
        """Returns the documents of a class, oldest first. Also works after the class."""
        return cast(types.ListDocumentsData, self._api.call("GET", "/v1/room/{roomId}/documents", params={"roomId": room_id}, options=options))

    def get(self, room_id: str, document_id: str, query: types.GetDocumentQuery | None = None, **options: Unpack[RequestOptions]) -> types.DocumentWithPages:
        """Returns a document with signed addresses of the pictures of its pages, valid for one hour, and their text."""
        return cast(types.DocumentWithPages, self._api.call("GET", "/v1/room/{roomId}/documents/{documentId}", params={"roomId": room_id, "documentId": document_id}, query=query, options=options))

    def delete(self, room_id: str, document_id: str, **options: Unpack[RequestOptions]) -> types.DeleteDocumentData:
        """Deletes a document with its pages, and stops its upload or conversion. The tutor forgets it within half a minute."""
        return cast(types.DeleteDocumentData, self._api.call("DELETE", "/v1/room/{roomId}/documents/{documentId}", params={"roomId": room_id, "documentId": document_id}, options=options))


class Rooms:
    def __init__(self, api: Transport) -> None:
        self._api = api
        self.chat = RoomsChat(api)
        self.participants = RoomsParticipants(api)
        self.waiting = RoomsWaiting(api)
        self.documents = RoomsDocuments(api)

    def create(self, body: types.CreateRoomBody, **options: Unpack[RequestOptions]) -> types.CreatedRoom:
        """Creates a room and returns the first participant’s token and link."""
        return cast(types.CreatedRoom, self._api.call("POST", "/v1/room/create", body=body, options=options))

    def join(self, room_id: str, body: types.JoinRoomBody, **options: Unpack[RequestOptions]) -> types.JoinResult:
        """Returns a token and a link for a participant of a room. Before the room opens by its schedule, the link counts down."""
        return cast(types.JoinResult, self._api.call("POST", "/v1/room/{roomId}/join", params={"roomId": room_id}, body=body, options=options))

    def status(self, room_id: str, **options: Unpack[RequestOptions]) -> types.RoomStatusReport:
        """Returns whether a room exists and is live, and how many participants are connected."""
        return cast(types.RoomStatusReport, self._api.call("GET", "/v1/room/{roomId}/status", params={"roomId": room_id}, options=options))

    def list(self, query: types.ListRoomsQuery | None = None, **options: Unpack[RequestOptions]) -> Pages[types.ListRoomsData, types.Room]:
        """Returns the organization’s rooms, newest first, as JSON or CSV. Filters: status, date of creation, start of the class, title."""

        def fetch(cursor: str | None) -> types.ListRoomsData:
            return cast(types.ListRoomsData, self._api.call("GET", "/v1/rooms", query=with_cursor(query, cursor), options=options))

        return Pages(fetch, lambda page: page["rooms"], lambda page: page.get("nextCursor"))

    def list_csv(self, query: types.ListRoomsQuery | None = None, **options: Unpack[RequestOptions]) -> str:
        """The same as a CSV file."""
        return self._api.csv("GET", "/v1/rooms", query={**(query or {}), "export": "csv"}, options=options)

    def get(self, room_id: str, **options: Unpack[RequestOptions]) -> types.WholeRoom:
        """Returns everything that was given for a room, and what happened. Also works after the class. To poll, use *Get room status*."""
        return cast(types.WholeRoom, self._api.call("GET", "/v1/room/{roomId}", params={"roomId": room_id}, options=options))

    def change(self, room_id: str, body: types.ChangeRoomBody, **options: Unpack[RequestOptions]) -> types.ChangedRoom:
        """Changes what was given for a room, before or during the class. Omitted fields stay as they are."""
        return cast(types.ChangedRoom, self._api.call("PATCH", "/v1/room/{roomId}", params={"roomId": room_id}, body=body, options=options))

    def end(self, room_id: str, **options: Unpack[RequestOptions]) -> types.EndedRoom:
        """Ends the class and disconnects everyone. The roomId cannot be used again."""
        return cast(types.EndedRoom, self._api.call("DELETE", "/v1/room/{roomId}", params={"roomId": room_id}, options=options))

    def polls(self, room_id: str, **options: Unpack[RequestOptions]) -> types.ListRoomPollsData:
        """Returns the polls of a room with their votes, also after the class."""
        return cast(types.ListRoomPollsData, self._api.call("GET", "/v1/room/{roomId}/polls", params={"roomId": room_id}, options=options))

    def board(self, room_id: str, **options: Unpack[RequestOptions]) -> types.RoomBoard:
        """Returns the board of a room, also after the class: all pages with what is drawn on them as JSON or as a PDF file over the slides, or one page as a picture (SVG, PNG). This method returns the JSON."""
        return cast(types.RoomBoard, self._api.call("GET", "/v1/room/{roomId}/board", params={"roomId": room_id}, options=options))

    def board_file(self, room_id: str, query: types.GetRoomBoardQuery, **options: Unpack[RequestOptions]) -> bytes:
        """The same as the bytes of a file, by its `format`."""
        return self._api.file("GET", "/v1/room/{roomId}/board", params={"roomId": room_id}, query=query, options=options)

    def consents(self, room_id: str, query: types.ListConsentsQuery | None = None, **options: Unpack[RequestOptions]) -> Pages[types.ListConsentsData, types.ConsentRecord]:
        """Returns every answer to a question for consent in a room, oldest first. Also works after the class."""

        def fetch(cursor: str | None) -> types.ListConsentsData:
            return cast(types.ListConsentsData, self._api.call("GET", "/v1/room/{roomId}/consents", params={"roomId": room_id}, query=with_cursor(query, cursor), options=options))

        return Pages(fetch, lambda page: page["consents"], lambda page: page.get("nextCursor"))

    def summary(self, room_id: str, **options: Unpack[RequestOptions]) -> types.RoomSummary:
        """Returns the participants, the minutes and the credits of a class."""
        return cast(types.RoomSummary, self._api.call("GET", "/v1/room/{roomId}/summary", params={"roomId": room_id}, options=options))

    def attendance(self, room_id: str, query: types.GetAttendanceQuery | None = None, **options: Unpack[RequestOptions]) -> types.Attendance:
        """Returns for everyone who was in a class the first join, the last leave, the total time and the share of the class; with an attendance policy, also who was late, left early or was absent."""
        return cast(types.Attendance, self._api.call("GET", "/v1/room/{roomId}/attendance", params={"roomId": room_id}, query=query, options=options))

    def attendance_csv(self, room_id: str, query: types.GetAttendanceQuery | None = None, **options: Unpack[RequestOptions]) -> str:
        """The same as a CSV file."""
        return self._api.csv("GET", "/v1/room/{roomId}/attendance", params={"roomId": room_id}, query={**(query or {}), "export": "csv"}, options=options)

    def engagement(self, room_id: str, query: types.ListEngagementQuery | None = None, **options: Unpack[RequestOptions]) -> Pages[types.ListEngagementData, types.Engagement]:
        """Returns how everyone for whom a token was created took part: time in class, speech and camera as the class page measured them, hands, chat, reactions, poll answers and questions to the tutor. Works during the class and after it."""

        def fetch(cursor: str | None) -> types.ListEngagementData:
            return cast(types.ListEngagementData, self._api.call("GET", "/v1/room/{roomId}/engagement", params={"roomId": room_id}, query=with_cursor(query, cursor), options=options))

        return Pages(fetch, lambda page: page["participants"], lambda page: page.get("nextCursor"))

    def set_context(self, room_id: str, body: types.SetRoomContextBody, **options: Unpack[RequestOptions]) -> types.RoomContext:
        """Gives the tutor of a room its topic and class notes."""
        return cast(types.RoomContext, self._api.call("POST", "/v1/room/{roomId}/context", params={"roomId": room_id}, body=body, options=options))


class Presets:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def set(self, preset_name: str, body: types.SetPresetBody, **options: Unpack[RequestOptions]) -> types.Preset:
        """Creates or replaces a preset. Rooms that exist stay as they are. An organization has 50 presets at most."""
        return cast(types.Preset, self._api.call("PUT", "/v1/presets/{presetName}", params={"presetName": preset_name}, body=body, options=options))

    def get(self, preset_name: str, **options: Unpack[RequestOptions]) -> types.Preset:
        """Returns one preset."""
        return cast(types.Preset, self._api.call("GET", "/v1/presets/{presetName}", params={"presetName": preset_name}, options=options))

    def delete(self, preset_name: str, **options: Unpack[RequestOptions]) -> types.DeletePresetData:
        """Deletes a preset. Rooms that were created with it stay as they are."""
        return cast(types.DeletePresetData, self._api.call("DELETE", "/v1/presets/{presetName}", params={"presetName": preset_name}, options=options))

    def list(self, **options: Unpack[RequestOptions]) -> types.ListPresetsData:
        """Returns all presets of the organization."""
        return cast(types.ListPresetsData, self._api.call("GET", "/v1/presets", options=options))


class Recordings:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def start(self, room_id: str, body: types.StartRecordingBody | None = None, **options: Unpack[RequestOptions]) -> types.StartedRecording:
        """Starts the recording of a live room."""
        return cast(types.StartedRecording, self._api.call("POST", "/v1/room/{roomId}/recording/start", params={"roomId": room_id}, body=body or {}, options=options))

    def stop(self, room_id: str, body: types.StopRecordingBody | None = None, **options: Unpack[RequestOptions]) -> types.StoppedRecording:
        """Stops the recording of a room. Its file is then finalized. A paused recording, whose file has ended, is paused no longer."""
        return cast(types.StoppedRecording, self._api.call("POST", "/v1/room/{roomId}/recording/stop", params={"roomId": room_id}, body=body or {}, options=options))

    def pause(self, room_id: str, **options: Unpack[RequestOptions]) -> types.StoppedRecording:
        """Pauses the recording of a room: its file ends here, and *Resume recording* begins the next one with the same options. A paused recording needs no stop. *Merge recordings* makes one file of all after the class."""
        return cast(types.StoppedRecording, self._api.call("POST", "/v1/room/{roomId}/recording/pause", params={"roomId": room_id}, options=options))

    def resume(self, room_id: str, **options: Unpack[RequestOptions]) -> types.StartedRecording:
        """Continues a paused recording in a new file with the same options."""
        return cast(types.StartedRecording, self._api.call("POST", "/v1/room/{roomId}/recording/resume", params={"roomId": room_id}, options=options))

    def list(self, room_id: str, **options: Unpack[RequestOptions]) -> types.ListRecordingsData:
        """Returns the past and current recordings of a room."""
        return cast(types.ListRecordingsData, self._api.call("GET", "/v1/room/{roomId}/recordings", params={"roomId": room_id}, options=options))

    def merge(self, room_id: str, **options: Unpack[RequestOptions]) -> types.StartedRecording:
        """Makes one file of all files of a class that has ended, in their order and without another loss of quality. The result is one more recording, `COMPLETED` after some seconds; the parts stay. Repeated calls return the same recording."""
        return cast(types.StartedRecording, self._api.call("POST", "/v1/room/{roomId}/recordings/merge", params={"roomId": room_id}, options=options))

    def downloads(self, room_id: str, **options: Unpack[RequestOptions]) -> types.RecordingDownloads:
        """Returns download links for the recordings of a class that has ended."""
        return cast(types.RecordingDownloads, self._api.call("GET", "/v1/room/{roomId}/recordings/download", params={"roomId": room_id}, options=options))

    def hold(self, room_id: str, recording_id: str, body: types.HoldRecordingBody, **options: Unpack[RequestOptions]) -> types.RecordingHold:
        """Begins or ends a legal hold of a recording: during a hold its files are not deleted. An API key ends one only with the scope `recordings:manage`. An organization whose erasure was requested may call it too: the erasure waits until the hold ends."""
        return cast(types.RecordingHold, self._api.call("POST", "/v1/room/{roomId}/recordings/{recordingId}/hold", params={"roomId": room_id, "recordingId": recording_id}, body=body, options=options))

    def publish(self, room_id: str, recording_id: str, **options: Unpack[RequestOptions]) -> types.VideoProgress:
        """Creates a video from a finished recording. Publishing the same recording again returns the same video."""
        return cast(types.VideoProgress, self._api.call("POST", "/v1/room/{roomId}/recordings/{recordingId}/publish", params={"roomId": room_id, "recordingId": recording_id}, options=options))


class RecordingBucket:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def set(self, body: types.SetRecordingBucketBody, **options: Unpack[RequestOptions]) -> types.RecordingBucket:
        """Sets the bucket of your own to which every recording is copied that is completed from now on. Copies that wait or have failed are tried again. Before it is stored, a test object is written below the prefix. The key needs only `s3:PutObject`: nothing is read, listed or deleted."""
        return cast(types.RecordingBucket, self._api.call("PUT", "/v1/recording-bucket", body=body, options=options))

    def get(self, **options: Unpack[RequestOptions]) -> types.RecordingBucket:
        """Returns the bucket to which recordings are copied, and whether the last attempt succeeded."""
        return cast(types.RecordingBucket, self._api.call("GET", "/v1/recording-bucket", options=options))

    def delete(self, **options: Unpack[RequestOptions]) -> types.DeleteRecordingBucketData:
        """Deletes the setting with its key. Copies that wait are given up; those in the bucket stay there."""
        return cast(types.DeleteRecordingBucketData, self._api.call("DELETE", "/v1/recording-bucket", options=options))


class Participants:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def sessions(self, body: types.GetParticipantSessionsBody, **options: Unpack[RequestOptions]) -> types.GetParticipantSessionsData:
        """Returns when a participant was in which class, as JSON or CSV."""
        return cast(types.GetParticipantSessionsData, self._api.call("POST", "/v1/participant/sessions", body=body, options=options))

    def sessions_csv(self, body: types.GetParticipantSessionsBody, **options: Unpack[RequestOptions]) -> str:
        """The same as a CSV file."""
        return self._api.csv("POST", "/v1/participant/sessions", body={**(body or {}), "export": "csv"}, options=options)


class BillingLedger:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def list(self, query: types.ListLedgerQuery | None = None, **options: Unpack[RequestOptions]) -> Pages[types.ListLedgerData, types.LedgerEntry]:
        """Returns every entry behind the balance, newest first."""

        def fetch(cursor: str | None) -> types.ListLedgerData:
            return cast(types.ListLedgerData, self._api.call("GET", "/v1/billing/ledger", query=with_cursor(query, cursor), options=options))

        return Pages(fetch, lambda page: page["entries"], lambda page: page["pagination"].get("nextCursor"))

    def explain(self, entry_id: str, **options: Unpack[RequestOptions]) -> types.ExplainedEntry:
        """Returns the sessions or the AI usage behind a charge and computes the charge again."""
        return cast(types.ExplainedEntry, self._api.call("GET", "/v1/billing/ledger/{entryId}/explain", params={"entryId": entry_id}, options=options))


class BillingStatements:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def list(self, **options: Unpack[RequestOptions]) -> types.ListStatementsData:
        """Returns the closed postpaid cycles, newest first."""
        return cast(types.ListStatementsData, self._api.call("GET", "/v1/billing/statements", options=options))

    def pdf(self, statement_id: str, query: types.GetStatementPdfQuery | None = None, **options: Unpack[RequestOptions]) -> bytes:
        """Returns a statement as a PDF file: totals by kind, and a line for each class."""
        return self._api.pdf("GET", "/v1/billing/statements/{statementId}/pdf", params={"statementId": statement_id}, query=query, options=options)


class BillingAlerts:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def set(self, body: types.SetCreditAlertsBody, **options: Unpack[RequestOptions]) -> types.CreditAlerts:
        """Replaces the thresholds. Each sends one event per crossing: a prepaid balance has to rise to the threshold again, for example by a top-up, and a postpaid cycle has to end, before the next."""
        return cast(types.CreditAlerts, self._api.call("PUT", "/v1/billing/alerts", body=body, options=options))

    def get(self, **options: Unpack[RequestOptions]) -> types.CreditAlerts:
        """Returns the thresholds at which `credits.threshold_reached` is sent."""
        return cast(types.CreditAlerts, self._api.call("GET", "/v1/billing/alerts", options=options))


class Billing:
    def __init__(self, api: Transport) -> None:
        self._api = api
        self.ledger = BillingLedger(api)
        self.statements = BillingStatements(api)
        self.alerts = BillingAlerts(api)

    def balance(self, **options: Unpack[RequestOptions]) -> types.Balance:
        """Returns the remaining credits (prepaid) or the credits used in this cycle (postpaid)."""
        return cast(types.Balance, self._api.call("GET", "/v1/billing/balance", options=options))


class Videos:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def create(self, body: types.CreateVideoBody, **options: Unpack[RequestOptions]) -> types.CreatedVideo:
        """Creates a video and returns its upload URL."""
        return cast(types.CreatedVideo, self._api.call("POST", "/v1/cdn/videos", body=body, options=options))

    def list(self, query: types.ListVideosQuery | None = None, **options: Unpack[RequestOptions]) -> Pages[types.ListVideosData, types.Video]:
        """Returns the organization’s videos, newest first."""

        def fetch(cursor: str | None) -> types.ListVideosData:
            return cast(types.ListVideosData, self._api.call("GET", "/v1/cdn/videos", query=with_cursor(query, cursor), options=options))

        return Pages(fetch, lambda page: page["videos"], lambda page: page.get("nextCursor"))

    def get(self, video_id: str, **options: Unpack[RequestOptions]) -> types.VideoProgress:
        """Returns the status and the transcoding progress of a video."""
        return cast(types.VideoProgress, self._api.call("GET", "/v1/cdn/videos/{videoId}/status", params={"videoId": video_id}, options=options))

    def url(self, video_id: str, **options: Unpack[RequestOptions]) -> types.VideoUrl:
        """Returns signed playback and poster URLs, valid for one hour."""
        return cast(types.VideoUrl, self._api.call("GET", "/v1/cdn/videos/{videoId}/url", params={"videoId": video_id}, options=options))

    def add_caption(self, video_id: str, body: types.AddCaptionBody, **options: Unpack[RequestOptions]) -> types.VideoCaptions:
        """Attaches a WebVTT track. A track of the same language is replaced. A video has at most 100 tracks."""
        return cast(types.VideoCaptions, self._api.call("POST", "/v1/cdn/videos/{videoId}/captions", params={"videoId": video_id}, body=body, options=options))

    def delete(self, video_id: str, **options: Unpack[RequestOptions]) -> types.DeleteVideoData:
        """Deletes a video with all its files and stops its upload or transcoding."""
        return cast(types.DeleteVideoData, self._api.call("DELETE", "/v1/cdn/videos/{videoId}", params={"videoId": video_id}, options=options))


class Agent:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def voices(self, **options: Unpack[RequestOptions]) -> types.ListVoicesData:
        """Returns the values that `voiceName` accepts."""
        return cast(types.ListVoicesData, self._api.call("GET", "/v1/ai-agent/voices", options=options))

    def chat(self, body: types.AgentChatBody, **options: Unpack[RequestOptions]) -> types.AgentChatData:
        """Sends a message to the agent and returns the whole answer."""
        return cast(types.AgentChatData, self._api.call("POST", "/v1/ai-agent/chat", body={"responseType": body.get("responseModality", "text"), **body}, options=options))

    def stream(self, body: types.AgentChatStreamBody, **options: Unpack[RequestOptions]) -> Generator[AnswerEvent, None, None]:
        """Sends a message to the agent. The answer arrives as it is generated, one JSON object per line."""
        return read_answer(self._api.stream("POST", "/v1/ai-agent/chat/stream", body={"responseType": body.get("responseModality", "text"), **body}, options=options), NdjsonAnswer())

    def usage(self, query: types.GetAiUsageQuery | None = None, **options: Unpack[RequestOptions]) -> types.AiUsage:
        """Returns the tokens and the cost of agent and tutor."""
        return cast(types.AiUsage, self._api.call("GET", "/v1/ai-agent/usage/summary", query=query, options=options))


class Tutor:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def chat(self, body: types.TutorChatBody, **options: Unpack[RequestOptions]) -> types.TutorChatData:
        """Asks the tutor of a room on behalf of a student and returns the whole answer."""
        return cast(types.TutorChatData, self._api.call("POST", "/v1/ai-tutor/chat", body={"organizationId": self._api.credential or "", **body}, options=options))

    def stream(self, body: types.TutorChatStreamBody, **options: Unpack[RequestOptions]) -> Generator[AnswerEvent, None, None]:
        """Asks the tutor of a room on behalf of a student. The answer arrives as server-sent events."""
        return read_answer(self._api.stream("POST", "/v1/ai-tutor/chat/stream", body={"organizationId": self._api.credential or "", **body}, options=options), ServerSentAnswer())

    def summary(self, room_id: str, **options: Unpack[RequestOptions]) -> types.TutorSummaryData:
        """Returns a summary of what a class asked its tutor."""
        return cast(types.TutorSummaryData, self._api.call("GET", "/v1/ai-tutor/summary/{roomId}", params={"roomId": room_id}, options=options))

    def usage(self, room_id: str, **options: Unpack[RequestOptions]) -> types.TutorUsageData:
        """Returns the tokens that the tutor of a class used."""
        return cast(types.TutorUsageData, self._api.call("GET", "/v1/ai-tutor/usage/{roomId}", params={"roomId": room_id}, options=options))

    def costs(self, room_id: str, query: types.GetTutorCostsQuery | None = None, **options: Unpack[RequestOptions]) -> Pages[types.TutorCosts, types.TutorCostsStudentsItem]:
        """Returns what each student’s questions in a room cost, by uid."""

        def fetch(cursor: str | None) -> types.TutorCosts:
            return cast(types.TutorCosts, self._api.call("GET", "/v1/ai-tutor/usage/{roomId}/students", params={"roomId": room_id}, query=with_cursor(query, cursor), options=options))

        return Pages(fetch, lambda page: page["students"], lambda page: page["pagination"].get("nextCursor"))


class WebhookEndpoints:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def create(self, body: types.CreateWebhookEndpointBody, **options: Unpack[RequestOptions]) -> types.WebhookEndpointWithSecret:
        """Registers a URL for webhooks. Only this response contains the secret that signs them."""
        return cast(types.WebhookEndpointWithSecret, self._api.call("POST", "/v1/webhook-endpoints", body=body, options=options))

    def list(self, **options: Unpack[RequestOptions]) -> types.ListWebhookEndpointsData:
        """Returns the organization’s webhook endpoints, oldest first."""
        return cast(types.ListWebhookEndpointsData, self._api.call("GET", "/v1/webhook-endpoints", options=options))

    def get(self, endpoint_id: str, **options: Unpack[RequestOptions]) -> types.WebhookEndpoint:
        """Returns a webhook endpoint."""
        return cast(types.WebhookEndpoint, self._api.call("GET", "/v1/webhook-endpoints/{endpointId}", params={"endpointId": endpoint_id}, options=options))

    def update(self, endpoint_id: str, body: types.UpdateWebhookEndpointBody, **options: Unpack[RequestOptions]) -> types.WebhookEndpoint:
        """Changes, disables or enables a webhook endpoint. Omitted fields stay as they are."""
        return cast(types.WebhookEndpoint, self._api.call("PATCH", "/v1/webhook-endpoints/{endpointId}", params={"endpointId": endpoint_id}, body=body, options=options))

    def delete(self, endpoint_id: str, **options: Unpack[RequestOptions]) -> types.DeleteWebhookEndpointData:
        """Deletes a webhook endpoint with its deliveries."""
        return cast(types.DeleteWebhookEndpointData, self._api.call("DELETE", "/v1/webhook-endpoints/{endpointId}", params={"endpointId": endpoint_id}, options=options))

    def test(self, endpoint_id: str, **options: Unpack[RequestOptions]) -> types.WebhookDelivery:
        """Sends a ping event to a webhook endpoint."""
        return cast(types.WebhookDelivery, self._api.call("POST", "/v1/webhook-endpoints/{endpointId}/test", params={"endpointId": endpoint_id}, options=options))

    def deliveries(self, endpoint_id: str, query: types.ListWebhookDeliveriesQuery | None = None, **options: Unpack[RequestOptions]) -> Pages[types.ListWebhookDeliveriesData, types.WebhookDelivery]:
        """Returns the deliveries to an endpoint in the last 30 days, newest first."""

        def fetch(cursor: str | None) -> types.ListWebhookDeliveriesData:
            return cast(types.ListWebhookDeliveriesData, self._api.call("GET", "/v1/webhook-endpoints/{endpointId}/deliveries", params={"endpointId": endpoint_id}, query=with_cursor(query, cursor), options=options))

        return Pages(fetch, lambda page: page["deliveries"], lambda page: page.get("nextCursor"))

    def delivery(self, endpoint_id: str, delivery_id: str, **options: Unpack[RequestOptions]) -> types.WebhookDeliveryDetails:
        """Returns a delivery with the request body."""
        return cast(types.WebhookDeliveryDetails, self._api.call("GET", "/v1/webhook-endpoints/{endpointId}/deliveries/{deliveryId}", params={"endpointId": endpoint_id, "deliveryId": delivery_id}, options=options))

    def replay_delivery(self, endpoint_id: str, delivery_id: str, **options: Unpack[RequestOptions]) -> types.WebhookDelivery:
        """Sends a delivery again, whether it had succeeded or failed."""
        return cast(types.WebhookDelivery, self._api.call("POST", "/v1/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/replay", params={"endpointId": endpoint_id, "deliveryId": delivery_id}, options=options))

    def replay(self, endpoint_id: str, body: types.ReplayWebhooksBody, **options: Unpack[RequestOptions]) -> types.ReplayedWebhooks:
        """Sends failed or missed deliveries of an endpoint again, up to 10,000 per call."""
        return cast(types.ReplayedWebhooks, self._api.call("POST", "/v1/webhook-endpoints/{endpointId}/replay", params={"endpointId": endpoint_id}, body=body, options=options))

    def rotate_secret(self, endpoint_id: str, **options: Unpack[RequestOptions]) -> types.WebhookEndpointWithSecret:
        """Creates a new signing secret. The previous secret also signs for 24 hours."""
        return cast(types.WebhookEndpointWithSecret, self._api.call("POST", "/v1/webhook-endpoints/{endpointId}/rotate-secret", params={"endpointId": endpoint_id}, options=options))


class Credentials:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def create(self, body: types.CreateCredentialBody | None = None, **options: Unpack[RequestOptions]) -> types.CredentialWithValue:
        """Creates a further value for `VF-ORG-ID`. Only this response contains it. An API key cannot create credentials."""
        return cast(types.CredentialWithValue, self._api.call("POST", "/v1/credentials", body=body or {}, options=options))

    def list(self, **options: Unpack[RequestOptions]) -> types.ListCredentialsData:
        """Returns the organization’s credentials for `VF-ORG-ID`, oldest first, without their values."""
        return cast(types.ListCredentialsData, self._api.call("GET", "/v1/credentials", options=options))

    def revoke(self, credential_id: str, **options: Unpack[RequestOptions]) -> types.RevokedCredential:
        """Revokes a credential immediately. The last one can be revoked by an operator only."""
        return cast(types.RevokedCredential, self._api.call("DELETE", "/v1/credentials/{credentialId}", params={"credentialId": credential_id}, options=options))


class ApiKeys:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def create(self, body: types.CreateApiKeyBody, **options: Unpack[RequestOptions]) -> types.ApiKeyWithSecret:
        """Creates an API key. Only this response contains its secret. A key can grant no more scopes than it has itself."""
        return cast(types.ApiKeyWithSecret, self._api.call("POST", "/v1/api-keys", body=body, options=options))

    def list(self, **options: Unpack[RequestOptions]) -> types.ListApiKeysData:
        """Returns the organization’s API keys, oldest first."""
        return cast(types.ListApiKeysData, self._api.call("GET", "/v1/api-keys", options=options))

    def rotate(self, key_id: str, body: types.RotateApiKeyBody | None = None, **options: Unpack[RequestOptions]) -> types.ApiKeyWithSecret:
        """Creates a new secret for an API key. The earlier secrets stay valid for a limited time. A key can rotate itself and the keys that it created."""
        return cast(types.ApiKeyWithSecret, self._api.call("POST", "/v1/api-keys/{keyId}/rotate", params={"keyId": key_id}, body=body or {}, options=options))

    def revoke(self, key_id: str, query: types.RevokeApiKeyQuery | None = None, **options: Unpack[RequestOptions]) -> types.RevokedApiKey:
        """Revokes an API key with all its secrets immediately, and the keys that it created, directly or through another one."""
        return cast(types.RevokedApiKey, self._api.call("DELETE", "/v1/api-keys/{keyId}", params={"keyId": key_id}, query=query, options=options))


class DashboardTokens:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def create(self, body: types.IssueDashboardTokenBody, **options: Unpack[RequestOptions]) -> types.IssueDashboardTokenData:
        """Creates a token for one person of the organization’s staff and its dashboard, for a link to the console. That of an API key expires no later than the key."""
        return cast(types.IssueDashboardTokenData, self._api.call("POST", "/v1/dashboard-tokens", body=body, options=options))

    def revoke(self, **options: Unpack[RequestOptions]) -> types.RevokedDashboardTokens:
        """Revokes all dashboard tokens of the organization immediately. Tokens created afterwards are valid."""
        return cast(types.RevokedDashboardTokens, self._api.call("DELETE", "/v1/dashboard-tokens", options=options))

    def end_session(self, session_id: str, **options: Unpack[RequestOptions]) -> types.EndedDashboardSession:
        """Ends a dashboard session of the organization immediately: its token is no longer valid. With a dashboard token, everyone may end their own session, and an OWNER each."""
        return cast(types.EndedDashboardSession, self._api.call("DELETE", "/v1/dashboard-sessions/{sessionId}", params={"sessionId": session_id}, options=options))

    def exchange(self, body: types.OpenDashboardSessionBody, **options: Unpack[RequestOptions]) -> types.OpenDashboardSessionData:
        """Exchanges the code of a link to the console for the dashboard token. A code works once, within a minute of its creation."""
        return cast(types.OpenDashboardSessionData, self._api.call("POST", "/v1/dashboard/session", body=body, options=options))


class Audit:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def list(self, query: types.ListAuditQuery | None = None, **options: Unpack[RequestOptions]) -> Pages[types.ListAuditData, types.AuditEntry]:
        """Returns who changed, recorded, removed or exported what in the organization, newest first."""

        def fetch(cursor: str | None) -> types.ListAuditData:
            return cast(types.ListAuditData, self._api.call("GET", "/v1/audit", query=with_cursor(query, cursor), options=options))

        return Pages(fetch, lambda page: page["entries"], lambda page: page["pagination"].get("nextCursor"))


class Privacy:
    def __init__(self, api: Transport) -> None:
        self._api = api

    def erase(self, body: types.CreateErasureBody, **options: Unpack[RequestOptions]) -> types.Erasure:
        """Erases the personal data of a participant or of a class, or everything of the organization. Once begun, this cannot be undone. Charges and sums stay, without the person. The erasure runs in the background: poll it until `COMPLETED`."""
        return cast(types.Erasure, self._api.call("POST", "/v1/privacy/erasures", body=body, options=options))

    def erasure(self, erasure_id: str, **options: Unpack[RequestOptions]) -> types.Erasure:
        """Returns an erasure, with its receipt when it is completed."""
        return cast(types.Erasure, self._api.call("GET", "/v1/privacy/erasures/{erasureId}", params={"erasureId": erasure_id}, options=options))

    def cancel_erasure(self, erasure_id: str, **options: Unpack[RequestOptions]) -> types.CancelledErasure:
        """Cancels the erasure of the organization before its `beginsAt`, and opens the organization again. Only with `VF-ORG-ID`: an API key cannot cancel it. The erasure of a person or a class cannot be cancelled."""
        return cast(types.CancelledErasure, self._api.call("DELETE", "/v1/privacy/erasures/{erasureId}", params={"erasureId": erasure_id}, options=options))

    def export(self, body: types.CreateExportBody, **options: Unpack[RequestOptions]) -> types.DataExport:
        """Collects the data of a participant, of a class or of the whole organization in a ZIP file. The export runs in the background: poll it until `COMPLETED`. An organization has at most five unfinished exports."""
        return cast(types.DataExport, self._api.call("POST", "/v1/privacy/exports", body=body, options=options))

    def get_export(self, export_id: str, **options: Unpack[RequestOptions]) -> types.DataExport:
        """Returns an export, with a new address of its file when it is completed."""
        return cast(types.DataExport, self._api.call("GET", "/v1/privacy/exports/{exportId}", params={"exportId": export_id}, options=options))


class Resources:
    def __init__(self, api: Transport) -> None:
        self._api = api
        self.rooms = Rooms(api)
        self.presets = Presets(api)
        self.recordings = Recordings(api)
        self.recording_bucket = RecordingBucket(api)
        self.participants = Participants(api)
        self.billing = Billing(api)
        self.videos = Videos(api)
        self.agent = Agent(api)
        self.tutor = Tutor(api)
        self.webhook_endpoints = WebhookEndpoints(api)
        self.events = Events(api)
        self.credentials = Credentials(api)
        self.api_keys = ApiKeys(api)
        self.dashboard_tokens = DashboardTokens(api)
        self.audit = Audit(api)
        self.privacy = Privacy(api)

    def health(self, **options: Unpack[RequestOptions]) -> types.GetHealthData:
        """Returns whether the service and its dependencies work."""
        return cast(types.GetHealthData, self._api.call("GET", "/v1/health/status", options=options))


class AsyncRoomsChat:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    def list(self, room_id: str, query: types.ListRoomChatQuery | None = None, **options: Unpack[RequestOptions]) -> AsyncPages[types.ListRoomChatData, types.ChatMessage]:
        """Returns the chat of a room, also after the class: all messages, those to the teachers included, with the number of their reports."""

        async def fetch(cursor: str | None) -> types.ListRoomChatData:
            return cast(types.ListRoomChatData, await self._api.call("GET", "/v1/room/{roomId}/chat", params={"roomId": room_id}, query=with_cursor(query, cursor), options=options))

        return AsyncPages(fetch, lambda page: page["messages"], lambda page: page.get("nextCursor"))

    async def list_csv(self, room_id: str, query: types.ListRoomChatQuery | None = None, **options: Unpack[RequestOptions]) -> str:
        """The same as a CSV file."""
        return await self._api.csv("GET", "/v1/room/{roomId}/chat", params={"roomId": room_id}, query={**(query or {}), "export": "csv"}, options=options)

    async def delete(self, room_id: str, message_id: str, **options: Unpack[RequestOptions]) -> types.ChatMessage:
        """Erases the text of a message for everyone, also after the class; who wrote it and when it was deleted remain. Deleting it again changes nothing."""
        return cast(types.ChatMessage, await self._api.call("DELETE", "/v1/room/{roomId}/chat/{messageId}", params={"roomId": room_id, "messageId": message_id}, options=options))


class AsyncRoomsParticipants:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    def list(self, room_id: str, query: types.ListParticipantsQuery | None = None, **options: Unpack[RequestOptions]) -> AsyncPages[types.ListParticipantsData, types.Participant]:
        """Returns everyone for whom a token was created, and whether they are connected now. Also works after the class."""

        async def fetch(cursor: str | None) -> types.ListParticipantsData:
            return cast(types.ListParticipantsData, await self._api.call("GET", "/v1/room/{roomId}/participants", params={"roomId": room_id}, query=with_cursor(query, cursor), options=options))

        return AsyncPages(fetch, lambda page: page["participants"], lambda page: page.get("nextCursor"))

    async def get(self, room_id: str, uid: str, **options: Unpack[RequestOptions]) -> types.Participant:
        """Returns one participant of a room, and whether they are connected now. Also works after the class."""
        return cast(types.Participant, await self._api.call("GET", "/v1/room/{roomId}/participants/{uid}", params={"roomId": room_id, "uid": uid}, options=options))

    async def change_role(self, room_id: str, uid: str, body: types.ChangeRoleBody, **options: Unpack[RequestOptions]) -> types.ChangedRole:
        """Changes the role of a participant immediately. The new role overrides the one in their token."""
        return cast(types.ChangedRole, await self._api.call("PATCH", "/v1/room/{roomId}/participants/{uid}", params={"roomId": room_id, "uid": uid}, body=body, options=options))

    async def mute(self, room_id: str, uid: str, body: types.MuteParticipantBody | None = None, **options: Unpack[RequestOptions]) -> types.MutedParticipant:
        """Mutes a track of a participant. Only the participant can unmute it."""
        return cast(types.MutedParticipant, await self._api.call("POST", "/v1/room/{roomId}/participants/{uid}/mute", params={"roomId": room_id, "uid": uid}, body=body or {}, options=options))

    async def remove(self, room_id: str, uid: str, **options: Unpack[RequestOptions]) -> types.RemovedParticipant:
        """Disconnects a participant and revokes their tokens. A token created later admits them again."""
        return cast(types.RemovedParticipant, await self._api.call("POST", "/v1/room/{roomId}/participants/{uid}/remove", params={"roomId": room_id, "uid": uid}, options=options))

    async def quality(self, room_id: str, uid: str, **options: Unpack[RequestOptions]) -> types.ParticipantQuality:
        """Answers why a class was bad for a participant: a verdict, the causes in words, and each minute as the class page measured it. Works during the class and after it."""
        return cast(types.ParticipantQuality, await self._api.call("GET", "/v1/room/{roomId}/participants/{uid}/quality", params={"roomId": room_id, "uid": uid}, options=options))


class AsyncRoomsWaiting:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def list(self, room_id: str, **options: Unpack[RequestOptions]) -> types.ListWaitingData:
        """Returns the participants in the waiting room, the longest waiting first: the first 500."""
        return cast(types.ListWaitingData, await self._api.call("GET", "/v1/room/{roomId}/waiting", params={"roomId": room_id}, options=options))

    async def decide(self, room_id: str, uid: str, body: types.DecideAdmissionBody, **options: Unpack[RequestOptions]) -> types.DecidedAdmission:
        """Admits a participant from the waiting room, also before they come, or refuses them."""
        return cast(types.DecidedAdmission, await self._api.call("POST", "/v1/room/{roomId}/participants/{uid}/admission", params={"roomId": room_id, "uid": uid}, body=body, options=options))

    async def admit_all(self, room_id: str, **options: Unpack[RequestOptions]) -> types.AdmitEveryoneData:
        """Admits everyone who is waiting."""
        return cast(types.AdmitEveryoneData, await self._api.call("POST", "/v1/room/{roomId}/admit-all", params={"roomId": room_id}, options=options))


class AsyncRoomsDocuments:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def create(self, room_id: str, body: types.CreateDocumentBody, **options: Unpack[RequestOptions]) -> types.CreatedDocument:
        """Adds a document to a class: returns its upload URL, or loads the file from `url`. Each page becomes a picture, and its text part of what the tutor knows. A class has at most 100 documents, a document 500 pages."""
        return cast(types.CreatedDocument, await self._api.call("POST", "/v1/room/{roomId}/documents", params={"roomId": room_id}, body=body, options=options))

    async def list(self, room_id: str, **options: Unpack[RequestOptions]) -> types.ListDocumentsData:
        """Returns the documents of a class, oldest first. Also works after the class."""
        return cast(types.ListDocumentsData, await self._api.call("GET", "/v1/room/{roomId}/documents", params={"roomId": room_id}, options=options))

    async def get(self, room_id: str, document_id: str, query: types.GetDocumentQuery | None = None, **options: Unpack[RequestOptions]) -> types.DocumentWithPages:
        """Returns a document with signed addresses of the pictures of its pages, valid for one hour, and their text."""
        return cast(types.DocumentWithPages, await self._api.call("GET", "/v1/room/{roomId}/documents/{documentId}", params={"roomId": room_id, "documentId": document_id}, query=query, options=options))

    async def delete(self, room_id: str, document_id: str, **options: Unpack[RequestOptions]) -> types.DeleteDocumentData:
        """Deletes a document with its pages, and stops its upload or conversion. The tutor forgets it within half a minute."""
        return cast(types.DeleteDocumentData, await self._api.call("DELETE", "/v1/room/{roomId}/documents/{documentId}", params={"roomId": room_id, "documentId": document_id}, options=options))


class AsyncRooms:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api
        self.chat = AsyncRoomsChat(api)
        self.participants = AsyncRoomsParticipants(api)
        self.waiting = AsyncRoomsWaiting(api)
        self.documents = AsyncRoomsDocuments(api)

    async def create(self, body: types.CreateRoomBody, **options: Unpack[RequestOptions]) -> types.CreatedRoom:
        """Creates a room and returns the first participant’s token and link."""
        return cast(types.CreatedRoom, await self._api.call("POST", "/v1/room/create", body=body, options=options))

    async def join(self, room_id: str, body: types.JoinRoomBody, **options: Unpack[RequestOptions]) -> types.JoinResult:
        """Returns a token and a link for a participant of a room. Before the room opens by its schedule, the link counts down."""
        return cast(types.JoinResult, await self._api.call("POST", "/v1/room/{roomId}/join", params={"roomId": room_id}, body=body, options=options))

    async def status(self, room_id: str, **options: Unpack[RequestOptions]) -> types.RoomStatusReport:
        """Returns whether a room exists and is live, and how many participants are connected."""
        return cast(types.RoomStatusReport, await self._api.call("GET", "/v1/room/{roomId}/status", params={"roomId": room_id}, options=options))

    def list(self, query: types.ListRoomsQuery | None = None, **options: Unpack[RequestOptions]) -> AsyncPages[types.ListRoomsData, types.Room]:
        """Returns the organization’s rooms, newest first, as JSON or CSV. Filters: status, date of creation, start of the class, title."""

        async def fetch(cursor: str | None) -> types.ListRoomsData:
            return cast(types.ListRoomsData, await self._api.call("GET", "/v1/rooms", query=with_cursor(query, cursor), options=options))

        return AsyncPages(fetch, lambda page: page["rooms"], lambda page: page.get("nextCursor"))

    async def list_csv(self, query: types.ListRoomsQuery | None = None, **options: Unpack[RequestOptions]) -> str:
        """The same as a CSV file."""
        return await self._api.csv("GET", "/v1/rooms", query={**(query or {}), "export": "csv"}, options=options)

    async def get(self, room_id: str, **options: Unpack[RequestOptions]) -> types.WholeRoom:
        """Returns everything that was given for a room, and what happened. Also works after the class. To poll, use *Get room status*."""
        return cast(types.WholeRoom, await self._api.call("GET", "/v1/room/{roomId}", params={"roomId": room_id}, options=options))

    async def change(self, room_id: str, body: types.ChangeRoomBody, **options: Unpack[RequestOptions]) -> types.ChangedRoom:
        """Changes what was given for a room, before or during the class. Omitted fields stay as they are."""
        return cast(types.ChangedRoom, await self._api.call("PATCH", "/v1/room/{roomId}", params={"roomId": room_id}, body=body, options=options))

    async def end(self, room_id: str, **options: Unpack[RequestOptions]) -> types.EndedRoom:
        """Ends the class and disconnects everyone. The roomId cannot be used again."""
        return cast(types.EndedRoom, await self._api.call("DELETE", "/v1/room/{roomId}", params={"roomId": room_id}, options=options))

    async def polls(self, room_id: str, **options: Unpack[RequestOptions]) -> types.ListRoomPollsData:
        """Returns the polls of a room with their votes, also after the class."""
        return cast(types.ListRoomPollsData, await self._api.call("GET", "/v1/room/{roomId}/polls", params={"roomId": room_id}, options=options))

    async def board(self, room_id: str, **options: Unpack[RequestOptions]) -> types.RoomBoard:
        """Returns the board of a room, also after the class: all pages with what is drawn on them as JSON or as a PDF file over the slides, or one page as a picture (SVG, PNG). This method returns the JSON."""
        return cast(types.RoomBoard, await self._api.call("GET", "/v1/room/{roomId}/board", params={"roomId": room_id}, options=options))

    async def board_file(self, room_id: str, query: types.GetRoomBoardQuery, **options: Unpack[RequestOptions]) -> bytes:
        """The same as the bytes of a file, by its `format`."""
        return await self._api.file("GET", "/v1/room/{roomId}/board", params={"roomId": room_id}, query=query, options=options)

    def consents(self, room_id: str, query: types.ListConsentsQuery | None = None, **options: Unpack[RequestOptions]) -> AsyncPages[types.ListConsentsData, types.ConsentRecord]:
        """Returns every answer to a question for consent in a room, oldest first. Also works after the class."""

        async def fetch(cursor: str | None) -> types.ListConsentsData:
            return cast(types.ListConsentsData, await self._api.call("GET", "/v1/room/{roomId}/consents", params={"roomId": room_id}, query=with_cursor(query, cursor), options=options))

        return AsyncPages(fetch, lambda page: page["consents"], lambda page: page.get("nextCursor"))

    async def summary(self, room_id: str, **options: Unpack[RequestOptions]) -> types.RoomSummary:
        """Returns the participants, the minutes and the credits of a class."""
        return cast(types.RoomSummary, await self._api.call("GET", "/v1/room/{roomId}/summary", params={"roomId": room_id}, options=options))

    async def attendance(self, room_id: str, query: types.GetAttendanceQuery | None = None, **options: Unpack[RequestOptions]) -> types.Attendance:
        """Returns for everyone who was in a class the first join, the last leave, the total time and the share of the class; with an attendance policy, also who was late, left early or was absent."""
        return cast(types.Attendance, await self._api.call("GET", "/v1/room/{roomId}/attendance", params={"roomId": room_id}, query=query, options=options))

    async def attendance_csv(self, room_id: str, query: types.GetAttendanceQuery | None = None, **options: Unpack[RequestOptions]) -> str:
        """The same as a CSV file."""
        return await self._api.csv("GET", "/v1/room/{roomId}/attendance", params={"roomId": room_id}, query={**(query or {}), "export": "csv"}, options=options)

    def engagement(self, room_id: str, query: types.ListEngagementQuery | None = None, **options: Unpack[RequestOptions]) -> AsyncPages[types.ListEngagementData, types.Engagement]:
        """Returns how everyone for whom a token was created took part: time in class, speech and camera as the class page measured them, hands, chat, reactions, poll answers and questions to the tutor. Works during the class and after it."""

        async def fetch(cursor: str | None) -> types.ListEngagementData:
            return cast(types.ListEngagementData, await self._api.call("GET", "/v1/room/{roomId}/engagement", params={"roomId": room_id}, query=with_cursor(query, cursor), options=options))

        return AsyncPages(fetch, lambda page: page["participants"], lambda page: page.get("nextCursor"))

    async def set_context(self, room_id: str, body: types.SetRoomContextBody, **options: Unpack[RequestOptions]) -> types.RoomContext:
        """Gives the tutor of a room its topic and class notes."""
        return cast(types.RoomContext, await self._api.call("POST", "/v1/room/{roomId}/context", params={"roomId": room_id}, body=body, options=options))


class AsyncPresets:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def set(self, preset_name: str, body: types.SetPresetBody, **options: Unpack[RequestOptions]) -> types.Preset:
        """Creates or replaces a preset. Rooms that exist stay as they are. An organization has 50 presets at most."""
        return cast(types.Preset, await self._api.call("PUT", "/v1/presets/{presetName}", params={"presetName": preset_name}, body=body, options=options))

    async def get(self, preset_name: str, **options: Unpack[RequestOptions]) -> types.Preset:
        """Returns one preset."""
        return cast(types.Preset, await self._api.call("GET", "/v1/presets/{presetName}", params={"presetName": preset_name}, options=options))

    async def delete(self, preset_name: str, **options: Unpack[RequestOptions]) -> types.DeletePresetData:
        """Deletes a preset. Rooms that were created with it stay as they are."""
        return cast(types.DeletePresetData, await self._api.call("DELETE", "/v1/presets/{presetName}", params={"presetName": preset_name}, options=options))

    async def list(self, **options: Unpack[RequestOptions]) -> types.ListPresetsData:
        """Returns all presets of the organization."""
        return cast(types.ListPresetsData, await self._api.call("GET", "/v1/presets", options=options))


class AsyncRecordings:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def start(self, room_id: str, body: types.StartRecordingBody | None = None, **options: Unpack[RequestOptions]) -> types.StartedRecording:
        """Starts the recording of a live room."""
        return cast(types.StartedRecording, await self._api.call("POST", "/v1/room/{roomId}/recording/start", params={"roomId": room_id}, body=body or {}, options=options))

    async def stop(self, room_id: str, body: types.StopRecordingBody | None = None, **options: Unpack[RequestOptions]) -> types.StoppedRecording:
        """Stops the recording of a room. Its file is then finalized. A paused recording, whose file has ended, is paused no longer."""
        return cast(types.StoppedRecording, await self._api.call("POST", "/v1/room/{roomId}/recording/stop", params={"roomId": room_id}, body=body or {}, options=options))

    async def pause(self, room_id: str, **options: Unpack[RequestOptions]) -> types.StoppedRecording:
        """Pauses the recording of a room: its file ends here, and *Resume recording* begins the next one with the same options. A paused recording needs no stop. *Merge recordings* makes one file of all after the class."""
        return cast(types.StoppedRecording, await self._api.call("POST", "/v1/room/{roomId}/recording/pause", params={"roomId": room_id}, options=options))

    async def resume(self, room_id: str, **options: Unpack[RequestOptions]) -> types.StartedRecording:
        """Continues a paused recording in a new file with the same options."""
        return cast(types.StartedRecording, await self._api.call("POST", "/v1/room/{roomId}/recording/resume", params={"roomId": room_id}, options=options))

    async def list(self, room_id: str, **options: Unpack[RequestOptions]) -> types.ListRecordingsData:
        """Returns the past and current recordings of a room."""
        return cast(types.ListRecordingsData, await self._api.call("GET", "/v1/room/{roomId}/recordings", params={"roomId": room_id}, options=options))

    async def merge(self, room_id: str, **options: Unpack[RequestOptions]) -> types.StartedRecording:
        """Makes one file of all files of a class that has ended, in their order and without another loss of quality. The result is one more recording, `COMPLETED` after some seconds; the parts stay. Repeated calls return the same recording."""
        return cast(types.StartedRecording, await self._api.call("POST", "/v1/room/{roomId}/recordings/merge", params={"roomId": room_id}, options=options))

    async def downloads(self, room_id: str, **options: Unpack[RequestOptions]) -> types.RecordingDownloads:
        """Returns download links for the recordings of a class that has ended."""
        return cast(types.RecordingDownloads, await self._api.call("GET", "/v1/room/{roomId}/recordings/download", params={"roomId": room_id}, options=options))

    async def hold(self, room_id: str, recording_id: str, body: types.HoldRecordingBody, **options: Unpack[RequestOptions]) -> types.RecordingHold:
        """Begins or ends a legal hold of a recording: during a hold its files are not deleted. An API key ends one only with the scope `recordings:manage`. An organization whose erasure was requested may call it too: the erasure waits until the hold ends."""
        return cast(types.RecordingHold, await self._api.call("POST", "/v1/room/{roomId}/recordings/{recordingId}/hold", params={"roomId": room_id, "recordingId": recording_id}, body=body, options=options))

    async def publish(self, room_id: str, recording_id: str, **options: Unpack[RequestOptions]) -> types.VideoProgress:
        """Creates a video from a finished recording. Publishing the same recording again returns the same video."""
        return cast(types.VideoProgress, await self._api.call("POST", "/v1/room/{roomId}/recordings/{recordingId}/publish", params={"roomId": room_id, "recordingId": recording_id}, options=options))


class AsyncRecordingBucket:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def set(self, body: types.SetRecordingBucketBody, **options: Unpack[RequestOptions]) -> types.RecordingBucket:
        """Sets the bucket of your own to which every recording is copied that is completed from now on. Copies that wait or have failed are tried again. Before it is stored, a test object is written below the prefix. The key needs only `s3:PutObject`: nothing is read, listed or deleted."""
        return cast(types.RecordingBucket, await self._api.call("PUT", "/v1/recording-bucket", body=body, options=options))

    async def get(self, **options: Unpack[RequestOptions]) -> types.RecordingBucket:
        """Returns the bucket to which recordings are copied, and whether the last attempt succeeded."""
        return cast(types.RecordingBucket, await self._api.call("GET", "/v1/recording-bucket", options=options))

    async def delete(self, **options: Unpack[RequestOptions]) -> types.DeleteRecordingBucketData:
        """Deletes the setting with its key. Copies that wait are given up; those in the bucket stay there."""
        return cast(types.DeleteRecordingBucketData, await self._api.call("DELETE", "/v1/recording-bucket", options=options))


class AsyncParticipants:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def sessions(self, body: types.GetParticipantSessionsBody, **options: Unpack[RequestOptions]) -> types.GetParticipantSessionsData:
        """Returns when a participant was in which class, as JSON or CSV."""
        return cast(types.GetParticipantSessionsData, await self._api.call("POST", "/v1/participant/sessions", body=body, options=options))

    async def sessions_csv(self, body: types.GetParticipantSessionsBody, **options: Unpack[RequestOptions]) -> str:
        """The same as a CSV file."""
        return await self._api.csv("POST", "/v1/participant/sessions", body={**(body or {}), "export": "csv"}, options=options)


class AsyncBillingLedger:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    def list(self, query: types.ListLedgerQuery | None = None, **options: Unpack[RequestOptions]) -> AsyncPages[types.ListLedgerData, types.LedgerEntry]:
        """Returns every entry behind the balance, newest first."""

        async def fetch(cursor: str | None) -> types.ListLedgerData:
            return cast(types.ListLedgerData, await self._api.call("GET", "/v1/billing/ledger", query=with_cursor(query, cursor), options=options))

        return AsyncPages(fetch, lambda page: page["entries"], lambda page: page["pagination"].get("nextCursor"))

    async def explain(self, entry_id: str, **options: Unpack[RequestOptions]) -> types.ExplainedEntry:
        """Returns the sessions or the AI usage behind a charge and computes the charge again."""
        return cast(types.ExplainedEntry, await self._api.call("GET", "/v1/billing/ledger/{entryId}/explain", params={"entryId": entry_id}, options=options))


class AsyncBillingStatements:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def list(self, **options: Unpack[RequestOptions]) -> types.ListStatementsData:
        """Returns the closed postpaid cycles, newest first."""
        return cast(types.ListStatementsData, await self._api.call("GET", "/v1/billing/statements", options=options))

    async def pdf(self, statement_id: str, query: types.GetStatementPdfQuery | None = None, **options: Unpack[RequestOptions]) -> bytes:
        """Returns a statement as a PDF file: totals by kind, and a line for each class."""
        return await self._api.pdf("GET", "/v1/billing/statements/{statementId}/pdf", params={"statementId": statement_id}, query=query, options=options)


class AsyncBillingAlerts:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def set(self, body: types.SetCreditAlertsBody, **options: Unpack[RequestOptions]) -> types.CreditAlerts:
        """Replaces the thresholds. Each sends one event per crossing: a prepaid balance has to rise to the threshold again, for example by a top-up, and a postpaid cycle has to end, before the next."""
        return cast(types.CreditAlerts, await self._api.call("PUT", "/v1/billing/alerts", body=body, options=options))

    async def get(self, **options: Unpack[RequestOptions]) -> types.CreditAlerts:
        """Returns the thresholds at which `credits.threshold_reached` is sent."""
        return cast(types.CreditAlerts, await self._api.call("GET", "/v1/billing/alerts", options=options))


class AsyncBilling:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api
        self.ledger = AsyncBillingLedger(api)
        self.statements = AsyncBillingStatements(api)
        self.alerts = AsyncBillingAlerts(api)

    async def balance(self, **options: Unpack[RequestOptions]) -> types.Balance:
        """Returns the remaining credits (prepaid) or the credits used in this cycle (postpaid)."""
        return cast(types.Balance, await self._api.call("GET", "/v1/billing/balance", options=options))


class AsyncVideos:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def create(self, body: types.CreateVideoBody, **options: Unpack[RequestOptions]) -> types.CreatedVideo:
        """Creates a video and returns its upload URL."""
        return cast(types.CreatedVideo, await self._api.call("POST", "/v1/cdn/videos", body=body, options=options))

    def list(self, query: types.ListVideosQuery | None = None, **options: Unpack[RequestOptions]) -> AsyncPages[types.ListVideosData, types.Video]:
        """Returns the organization’s videos, newest first."""

        async def fetch(cursor: str | None) -> types.ListVideosData:
            return cast(types.ListVideosData, await self._api.call("GET", "/v1/cdn/videos", query=with_cursor(query, cursor), options=options))

        return AsyncPages(fetch, lambda page: page["videos"], lambda page: page.get("nextCursor"))

    async def get(self, video_id: str, **options: Unpack[RequestOptions]) -> types.VideoProgress:
        """Returns the status and the transcoding progress of a video."""
        return cast(types.VideoProgress, await self._api.call("GET", "/v1/cdn/videos/{videoId}/status", params={"videoId": video_id}, options=options))

    async def url(self, video_id: str, **options: Unpack[RequestOptions]) -> types.VideoUrl:
        """Returns signed playback and poster URLs, valid for one hour."""
        return cast(types.VideoUrl, await self._api.call("GET", "/v1/cdn/videos/{videoId}/url", params={"videoId": video_id}, options=options))

    async def add_caption(self, video_id: str, body: types.AddCaptionBody, **options: Unpack[RequestOptions]) -> types.VideoCaptions:
        """Attaches a WebVTT track. A track of the same language is replaced. A video has at most 100 tracks."""
        return cast(types.VideoCaptions, await self._api.call("POST", "/v1/cdn/videos/{videoId}/captions", params={"videoId": video_id}, body=body, options=options))

    async def delete(self, video_id: str, **options: Unpack[RequestOptions]) -> types.DeleteVideoData:
        """Deletes a video with all its files and stops its upload or transcoding."""
        return cast(types.DeleteVideoData, await self._api.call("DELETE", "/v1/cdn/videos/{videoId}", params={"videoId": video_id}, options=options))


class AsyncAgent:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def voices(self, **options: Unpack[RequestOptions]) -> types.ListVoicesData:
        """Returns the values that `voiceName` accepts."""
        return cast(types.ListVoicesData, await self._api.call("GET", "/v1/ai-agent/voices", options=options))

    async def chat(self, body: types.AgentChatBody, **options: Unpack[RequestOptions]) -> types.AgentChatData:
        """Sends a message to the agent and returns the whole answer."""
        return cast(types.AgentChatData, await self._api.call("POST", "/v1/ai-agent/chat", body={"responseType": body.get("responseModality", "text"), **body}, options=options))

    def stream(self, body: types.AgentChatStreamBody, **options: Unpack[RequestOptions]) -> AsyncGenerator[AnswerEvent, None]:
        """Sends a message to the agent. The answer arrives as it is generated, one JSON object per line."""
        return read_answer_async(self._api.stream("POST", "/v1/ai-agent/chat/stream", body={"responseType": body.get("responseModality", "text"), **body}, options=options), NdjsonAnswer())

    async def usage(self, query: types.GetAiUsageQuery | None = None, **options: Unpack[RequestOptions]) -> types.AiUsage:
        """Returns the tokens and the cost of agent and tutor."""
        return cast(types.AiUsage, await self._api.call("GET", "/v1/ai-agent/usage/summary", query=query, options=options))


class AsyncTutor:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def chat(self, body: types.TutorChatBody, **options: Unpack[RequestOptions]) -> types.TutorChatData:
        """Asks the tutor of a room on behalf of a student and returns the whole answer."""
        return cast(types.TutorChatData, await self._api.call("POST", "/v1/ai-tutor/chat", body={"organizationId": self._api.credential or "", **body}, options=options))

    def stream(self, body: types.TutorChatStreamBody, **options: Unpack[RequestOptions]) -> AsyncGenerator[AnswerEvent, None]:
        """Asks the tutor of a room on behalf of a student. The answer arrives as server-sent events."""
        return read_answer_async(self._api.stream("POST", "/v1/ai-tutor/chat/stream", body={"organizationId": self._api.credential or "", **body}, options=options), ServerSentAnswer())

    async def summary(self, room_id: str, **options: Unpack[RequestOptions]) -> types.TutorSummaryData:
        """Returns a summary of what a class asked its tutor."""
        return cast(types.TutorSummaryData, await self._api.call("GET", "/v1/ai-tutor/summary/{roomId}", params={"roomId": room_id}, options=options))

    async def usage(self, room_id: str, **options: Unpack[RequestOptions]) -> types.TutorUsageData:
        """Returns the tokens that the tutor of a class used."""
        return cast(types.TutorUsageData, await self._api.call("GET", "/v1/ai-tutor/usage/{roomId}", params={"roomId": room_id}, options=options))

    def costs(self, room_id: str, query: types.GetTutorCostsQuery | None = None, **options: Unpack[RequestOptions]) -> AsyncPages[types.TutorCosts, types.TutorCostsStudentsItem]:
        """Returns what each student’s questions in a room cost, by uid."""

        async def fetch(cursor: str | None) -> types.TutorCosts:
            return cast(types.TutorCosts, await self._api.call("GET", "/v1/ai-tutor/usage/{roomId}/students", params={"roomId": room_id}, query=with_cursor(query, cursor), options=options))

        return AsyncPages(fetch, lambda page: page["students"], lambda page: page["pagination"].get("nextCursor"))


class AsyncWebhookEndpoints:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def create(self, body: types.CreateWebhookEndpointBody, **options: Unpack[RequestOptions]) -> types.WebhookEndpointWithSecret:
        """Registers a URL for webhooks. Only this response contains the secret that signs them."""
        return cast(types.WebhookEndpointWithSecret, await self._api.call("POST", "/v1/webhook-endpoints", body=body, options=options))

    async def list(self, **options: Unpack[RequestOptions]) -> types.ListWebhookEndpointsData:
        """Returns the organization’s webhook endpoints, oldest first."""
        return cast(types.ListWebhookEndpointsData, await self._api.call("GET", "/v1/webhook-endpoints", options=options))

    async def get(self, endpoint_id: str, **options: Unpack[RequestOptions]) -> types.WebhookEndpoint:
        """Returns a webhook endpoint."""
        return cast(types.WebhookEndpoint, await self._api.call("GET", "/v1/webhook-endpoints/{endpointId}", params={"endpointId": endpoint_id}, options=options))

    async def update(self, endpoint_id: str, body: types.UpdateWebhookEndpointBody, **options: Unpack[RequestOptions]) -> types.WebhookEndpoint:
        """Changes, disables or enables a webhook endpoint. Omitted fields stay as they are."""
        return cast(types.WebhookEndpoint, await self._api.call("PATCH", "/v1/webhook-endpoints/{endpointId}", params={"endpointId": endpoint_id}, body=body, options=options))

    async def delete(self, endpoint_id: str, **options: Unpack[RequestOptions]) -> types.DeleteWebhookEndpointData:
        """Deletes a webhook endpoint with its deliveries."""
        return cast(types.DeleteWebhookEndpointData, await self._api.call("DELETE", "/v1/webhook-endpoints/{endpointId}", params={"endpointId": endpoint_id}, options=options))

    async def test(self, endpoint_id: str, **options: Unpack[RequestOptions]) -> types.WebhookDelivery:
        """Sends a ping event to a webhook endpoint."""
        return cast(types.WebhookDelivery, await self._api.call("POST", "/v1/webhook-endpoints/{endpointId}/test", params={"endpointId": endpoint_id}, options=options))

    def deliveries(self, endpoint_id: str, query: types.ListWebhookDeliveriesQuery | None = None, **options: Unpack[RequestOptions]) -> AsyncPages[types.ListWebhookDeliveriesData, types.WebhookDelivery]:
        """Returns the deliveries to an endpoint in the last 30 days, newest first."""

        async def fetch(cursor: str | None) -> types.ListWebhookDeliveriesData:
            return cast(types.ListWebhookDeliveriesData, await self._api.call("GET", "/v1/webhook-endpoints/{endpointId}/deliveries", params={"endpointId": endpoint_id}, query=with_cursor(query, cursor), options=options))

        return AsyncPages(fetch, lambda page: page["deliveries"], lambda page: page.get("nextCursor"))

    async def delivery(self, endpoint_id: str, delivery_id: str, **options: Unpack[RequestOptions]) -> types.WebhookDeliveryDetails:
        """Returns a delivery with the request body."""
        return cast(types.WebhookDeliveryDetails, await self._api.call("GET", "/v1/webhook-endpoints/{endpointId}/deliveries/{deliveryId}", params={"endpointId": endpoint_id, "deliveryId": delivery_id}, options=options))

    async def replay_delivery(self, endpoint_id: str, delivery_id: str, **options: Unpack[RequestOptions]) -> types.WebhookDelivery:
        """Sends a delivery again, whether it had succeeded or failed."""
        return cast(types.WebhookDelivery, await self._api.call("POST", "/v1/webhook-endpoints/{endpointId}/deliveries/{deliveryId}/replay", params={"endpointId": endpoint_id, "deliveryId": delivery_id}, options=options))

    async def replay(self, endpoint_id: str, body: types.ReplayWebhooksBody, **options: Unpack[RequestOptions]) -> types.ReplayedWebhooks:
        """Sends failed or missed deliveries of an endpoint again, up to 10,000 per call."""
        return cast(types.ReplayedWebhooks, await self._api.call("POST", "/v1/webhook-endpoints/{endpointId}/replay", params={"endpointId": endpoint_id}, body=body, options=options))

    async def rotate_secret(self, endpoint_id: str, **options: Unpack[RequestOptions]) -> types.WebhookEndpointWithSecret:
        """Creates a new signing secret. The previous secret also signs for 24 hours."""
        return cast(types.WebhookEndpointWithSecret, await self._api.call("POST", "/v1/webhook-endpoints/{endpointId}/rotate-secret", params={"endpointId": endpoint_id}, options=options))


class AsyncCredentials:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def create(self, body: types.CreateCredentialBody | None = None, **options: Unpack[RequestOptions]) -> types.CredentialWithValue:
        """Creates a further value for `VF-ORG-ID`. Only this response contains it. An API key cannot create credentials."""
        return cast(types.CredentialWithValue, await self._api.call("POST", "/v1/credentials", body=body or {}, options=options))

    async def list(self, **options: Unpack[RequestOptions]) -> types.ListCredentialsData:
        """Returns the organization’s credentials for `VF-ORG-ID`, oldest first, without their values."""
        return cast(types.ListCredentialsData, await self._api.call("GET", "/v1/credentials", options=options))

    async def revoke(self, credential_id: str, **options: Unpack[RequestOptions]) -> types.RevokedCredential:
        """Revokes a credential immediately. The last one can be revoked by an operator only."""
        return cast(types.RevokedCredential, await self._api.call("DELETE", "/v1/credentials/{credentialId}", params={"credentialId": credential_id}, options=options))


class AsyncApiKeys:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def create(self, body: types.CreateApiKeyBody, **options: Unpack[RequestOptions]) -> types.ApiKeyWithSecret:
        """Creates an API key. Only this response contains its secret. A key can grant no more scopes than it has itself."""
        return cast(types.ApiKeyWithSecret, await self._api.call("POST", "/v1/api-keys", body=body, options=options))

    async def list(self, **options: Unpack[RequestOptions]) -> types.ListApiKeysData:
        """Returns the organization’s API keys, oldest first."""
        return cast(types.ListApiKeysData, await self._api.call("GET", "/v1/api-keys", options=options))

    async def rotate(self, key_id: str, body: types.RotateApiKeyBody | None = None, **options: Unpack[RequestOptions]) -> types.ApiKeyWithSecret:
        """Creates a new secret for an API key. The earlier secrets stay valid for a limited time. A key can rotate itself and the keys that it created."""
        return cast(types.ApiKeyWithSecret, await self._api.call("POST", "/v1/api-keys/{keyId}/rotate", params={"keyId": key_id}, body=body or {}, options=options))

    async def revoke(self, key_id: str, query: types.RevokeApiKeyQuery | None = None, **options: Unpack[RequestOptions]) -> types.RevokedApiKey:
        """Revokes an API key with all its secrets immediately, and the keys that it created, directly or through another one."""
        return cast(types.RevokedApiKey, await self._api.call("DELETE", "/v1/api-keys/{keyId}", params={"keyId": key_id}, query=query, options=options))


class AsyncDashboardTokens:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def create(self, body: types.IssueDashboardTokenBody, **options: Unpack[RequestOptions]) -> types.IssueDashboardTokenData:
        """Creates a token for one person of the organization’s staff and its dashboard, for a link to the console. That of an API key expires no later than the key."""
        return cast(types.IssueDashboardTokenData, await self._api.call("POST", "/v1/dashboard-tokens", body=body, options=options))

    async def revoke(self, **options: Unpack[RequestOptions]) -> types.RevokedDashboardTokens:
        """Revokes all dashboard tokens of the organization immediately. Tokens created afterwards are valid."""
        return cast(types.RevokedDashboardTokens, await self._api.call("DELETE", "/v1/dashboard-tokens", options=options))

    async def end_session(self, session_id: str, **options: Unpack[RequestOptions]) -> types.EndedDashboardSession:
        """Ends a dashboard session of the organization immediately: its token is no longer valid. With a dashboard token, everyone may end their own session, and an OWNER each."""
        return cast(types.EndedDashboardSession, await self._api.call("DELETE", "/v1/dashboard-sessions/{sessionId}", params={"sessionId": session_id}, options=options))

    async def exchange(self, body: types.OpenDashboardSessionBody, **options: Unpack[RequestOptions]) -> types.OpenDashboardSessionData:
        """Exchanges the code of a link to the console for the dashboard token. A code works once, within a minute of its creation."""
        return cast(types.OpenDashboardSessionData, await self._api.call("POST", "/v1/dashboard/session", body=body, options=options))


class AsyncAudit:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    def list(self, query: types.ListAuditQuery | None = None, **options: Unpack[RequestOptions]) -> AsyncPages[types.ListAuditData, types.AuditEntry]:
        """Returns who changed, recorded, removed or exported what in the organization, newest first."""

        async def fetch(cursor: str | None) -> types.ListAuditData:
            return cast(types.ListAuditData, await self._api.call("GET", "/v1/audit", query=with_cursor(query, cursor), options=options))

        return AsyncPages(fetch, lambda page: page["entries"], lambda page: page["pagination"].get("nextCursor"))


class AsyncPrivacy:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api

    async def erase(self, body: types.CreateErasureBody, **options: Unpack[RequestOptions]) -> types.Erasure:
        """Erases the personal data of a participant or of a class, or everything of the organization. Once begun, this cannot be undone. Charges and sums stay, without the person. The erasure runs in the background: poll it until `COMPLETED`."""
        return cast(types.Erasure, await self._api.call("POST", "/v1/privacy/erasures", body=body, options=options))

    async def erasure(self, erasure_id: str, **options: Unpack[RequestOptions]) -> types.Erasure:
        """Returns an erasure, with its receipt when it is completed."""
        return cast(types.Erasure, await self._api.call("GET", "/v1/privacy/erasures/{erasureId}", params={"erasureId": erasure_id}, options=options))

    async def cancel_erasure(self, erasure_id: str, **options: Unpack[RequestOptions]) -> types.CancelledErasure:
        """Cancels the erasure of the organization before its `beginsAt`, and opens the organization again. Only with `VF-ORG-ID`: an API key cannot cancel it. The erasure of a person or a class cannot be cancelled."""
        return cast(types.CancelledErasure, await self._api.call("DELETE", "/v1/privacy/erasures/{erasureId}", params={"erasureId": erasure_id}, options=options))

    async def export(self, body: types.CreateExportBody, **options: Unpack[RequestOptions]) -> types.DataExport:
        """Collects the data of a participant, of a class or of the whole organization in a ZIP file. The export runs in the background: poll it until `COMPLETED`. An organization has at most five unfinished exports."""
        return cast(types.DataExport, await self._api.call("POST", "/v1/privacy/exports", body=body, options=options))

    async def get_export(self, export_id: str, **options: Unpack[RequestOptions]) -> types.DataExport:
        """Returns an export, with a new address of its file when it is completed."""
        return cast(types.DataExport, await self._api.call("GET", "/v1/privacy/exports/{exportId}", params={"exportId": export_id}, options=options))


class AsyncResources:
    def __init__(self, api: AsyncTransport) -> None:
        self._api = api
        self.rooms = AsyncRooms(api)
        self.presets = AsyncPresets(api)
        self.recordings = AsyncRecordings(api)
        self.recording_bucket = AsyncRecordingBucket(api)
        self.participants = AsyncParticipants(api)
        self.billing = AsyncBilling(api)
        self.videos = AsyncVideos(api)
        self.agent = AsyncAgent(api)
        self.tutor = AsyncTutor(api)
        self.webhook_endpoints = AsyncWebhookEndpoints(api)
        self.events = AsyncEvents(api)
        self.credentials = AsyncCredentials(api)
        self.api_keys = AsyncApiKeys(api)
        self.dashboard_tokens = AsyncDashboardTokens(api)
        self.audit = AsyncAudit(api)
        self.privacy = AsyncPrivacy(api)

    async def health(self, **options: Unpack[RequestOptions]) -> types.GetHealthData:
        """Returns whether the service and its dependencies work."""
        return cast(types.GetHealthData, await self._api.call("GET", "/v1/health/status", options=options))
