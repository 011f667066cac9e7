/** The upload of a file. It uses XMLHttpRequest, because fetch does not report the progress. */
import { SESSION_HEADER } from '../../../../contract/call.ts';
import { RequestFailed } from '../../../api.ts';

const base64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^data:[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });

type Envelope = { error?: { code: string; message: string; details?: RequestFailed['details'] } };

/**
 * @param onProgress the share of the bytes that were sent, from 0 to 1
 * @throws RequestFailed with the server's error; DOMException AbortError
 */
export async function uploadMediaFile(
  projectId: string,
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const body = JSON.stringify({ name: file.name, content: await base64(file) });
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/api/v1/projects/${encodeURIComponent(projectId)}/media-files`);
    request.setRequestHeader('content-type', 'application/json');
    request.setRequestHeader(SESSION_HEADER, '1');
    request.responseType = 'json';
    request.upload.onprogress = (event) => onProgress(event.lengthComputable ? event.loaded / event.total : 0);
    request.onload = () => {
      if (request.status === 201) return resolve();
      const {
        code = 'NO_ENVELOPE',
        message = request.statusText,
        details,
      } = (request.response as Envelope)?.error ?? {};
      reject(new RequestFailed(request.status, code, message, details));
    };
    request.onerror = () => reject(new Error('The server did not answer. Check the network connection.'));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}
