// What the same work costs without JavaScript: a socket a stream, 1 ms ticks, connected send, one epoll, recvmsg with the kernel's
// receive time, loss by a window of sequence numbers and jitter by RFC 3550. For a packet the same system calls as our media thread makes;
// it watches its sockets as loops of this kind do, where our thread polls those that it sends on (agent/net, "Watched or polled").
//
// plain-loop STREAMS ADDRESS FIRST_PORT PEER_PORT both|send: its ports are two apart; goes until its standard input ends.
#include <arpa/inet.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static const int64_t MS = 1000000;

struct Stream {
  int fd;
  bool known = false;
  uint32_t ssrc = 0, highest = 0, window[32] = {}, packets = 0, lost = 0, duplicates = 0;
  double transit = 0, jitter = 0, jitterSum = 0, least = 0;
  uint16_t sequence = 0;
  unsigned char packet[192];
};

static int64_t now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 * MS + t.tv_nsec;
}

static void count(Stream& s, const unsigned char* p, double atMs) {
  uint16_t sequence = p[2] << 8 | p[3];
  uint32_t timestamp = uint32_t(p[4]) << 24 | p[5] << 16 | p[6] << 8 | p[7];
  double transit = atMs * 8 - timestamp;
  s.packets++;
  if (!s.known) {
    s.known = true;
    s.highest = sequence;
    s.transit = s.least = transit;
    return;
  }
  uint16_t ahead = sequence - uint16_t(s.highest);
  if (ahead != 0 && ahead < 3000) {
    for (uint32_t n = s.highest + 1; n <= s.highest + ahead; n++) s.window[n / 32 % 32] &= ~(1u << n % 32);
    s.lost += ahead - 1;
    s.highest += ahead;
  }
  uint32_t& word = s.window[sequence / 32 % 32];
  if (word & 1u << sequence % 32) s.duplicates++;
  word |= 1u << sequence % 32;
  s.jitter += (std::fabs(transit - s.transit) - s.jitter) / 16;
  s.jitterSum += s.jitter;
  s.transit = transit;
  if (transit < s.least) s.least = transit;
}

int main(int, char** arguments) {
  int streams = atoi(arguments[1]), firstPort = atoi(arguments[3]), peerPort = atoi(arguments[4]);
  bool both = !strcmp(arguments[5], "both");
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  prctl(PR_SET_TIMERSLACK, 1);
  std::vector<Stream> all(streams);
  sockaddr_in own{}, peer{};
  own.sin_family = peer.sin_family = AF_INET;
  inet_pton(AF_INET, arguments[2], &own.sin_addr);
  peer.sin_addr = own.sin_addr;
  peer.sin_port = htons(peerPort);
  int epoll = epoll_create1(0), on = 1;
  for (int i = 0; i < streams; i++) {
    Stream& s = all[i];
    s.fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    setsockopt(s.fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    own.sin_port = htons(firstPort + 2 * i);
    if (bind(s.fd, (sockaddr*)&own, sizeof own)) return perror("bind"), 1;
    connect(s.fd, (sockaddr*)&peer, sizeof peer);
    epoll_event e{};
    e.events = EPOLLIN;
    e.data.u32 = i;
    epoll_ctl(epoll, EPOLL_CTL_ADD, s.fd, &e);
    memset(s.packet, 0xd5, sizeof s.packet);
    s.packet[0] = 0x80;
    s.packet[1] = 0;
    uint32_t ssrc = htonl(i + 1);
    memcpy(s.packet + 8, &ssrc, 4);
  }
  puts("ready");
  fflush(stdout);

  static epoll_event events[1024];
  static unsigned char data[2048], control[64];
  static const unsigned char tone[500][160] = {};
  sockaddr_in from;
  iovec vector{data, sizeof data};
  pollfd input{0, POLLIN, 0};
  int64_t start = now() / MS * MS + 2 * MS;
  for (int64_t tick = 0;; tick++) {
    int64_t at = start + tick * MS;
    timespec t{at / (1000 * MS), at % (1000 * MS)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr);
    uint16_t sequence = htons(tick / 20);
    uint32_t timestamp = htonl(tick / 20 * 160);
    for (int i = tick % 20; i < streams; i += 20) {
      memcpy(all[i].packet + 2, &sequence, 2);
      memcpy(all[i].packet + 4, &timestamp, 4);
      memcpy(all[i].packet + 12, tone[tick / 20 % 500], 160);
      send(all[i].fd, all[i].packet, 172, MSG_DONTWAIT);
    }
    for (int ready = both ? 1024 : 0; ready > 0 && now() < at + 2 * MS;) {
      ready = epoll_wait(epoll, events, 1024, 0);
      for (int e = 0; e < ready; e++) {
        Stream& s = all[events[e].data.u32];
        msghdr m{&from, sizeof from, &vector, 1, control, sizeof control, 0};
        if (recvmsg(s.fd, &m, MSG_DONTWAIT) < 12) continue;
        timespec stamp{};
        cmsghdr* c = CMSG_FIRSTHDR(&m);
        if (c) memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
        if (from.sin_port == peer.sin_port) count(s, data, stamp.tv_sec % 100000 * 1000.0 + stamp.tv_nsec / 1e6);
      }
    }
    if (tick % 100 == 0 && poll(&input, 1, 0) > 0) return 0;
  }
}
