// The far end of the media benchmark: one socket; source port and SSRC identify a stream. It receives with the kernel's times. If it
// is asked to, it sends one packet every 20 ms to each port in 1 ms ticks, and stores the instant of each send. Both threads are
// real-time where the host permits: the ruler must be steadier than what it measures.
//
// ruler ADDRESS PORT: reads lines. `send PORT …` begins to send to these ports; `begin` forgets what came; `end` sends
// no more and prints one line of JSON.
#include <arpa/inet.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

static const int64_t MS = 1000000, PACKET = 20 * MS;

static int64_t now(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1000 * MS + t.tv_nsec;
}

static void steady() {
  sched_param p{};
  p.sched_priority = 20;
  pthread_setschedparam(pthread_self(), SCHED_FIFO, &p);
  prctl(PR_SET_TIMERSLACK, 1);
}

// Interarrival jitter (RFC 3550, A.8) of packets that are 20 ms apart by their sequence numbers; its mean over the packets.
struct Jitter {
  bool known = false;
  int64_t at = 0;
  uint16_t sequence = 0;
  double j = 0, sum = 0;
  uint64_t packets = 0, lost = 0;

  void observe(uint16_t s, int64_t t) {
    packets++;
    int16_t ahead = known ? int16_t(s - sequence) : 1;
    if (known && ahead > 0) {
      double d = std::fabs(double(t - at - ahead * PACKET));
      lost += ahead - 1;
      j += (d - j) / 16;
      sum += j;
    }
    if (ahead <= 0) return;
    known = true;
    at = t;
    sequence = s;
  }
  void forget() {
    sum = 0;
    packets = lost = 0;
  }
  double meanUs() const { return packets > 1 ? sum / packets / 1000 : NAN; }
};

static int fd;
static in_addr own;
static std::atomic<bool> over{false}, sending{false};
static std::atomic<uint64_t> sent{0};
static std::mutex lock_;
static std::unordered_map<uint64_t, Jitter> heard;
static std::vector<Jitter> sentTo(65536);
static std::vector<uint16_t> ports;

static void* receive(void*) {
  steady();
  const int BATCH = 256;
  static unsigned char data[BATCH][256], control[BATCH][64];
  static sockaddr_in from[BATCH];
  static mmsghdr m[BATCH];
  static iovec v[BATCH];
  while (!over) {
    usleep(1000);
    for (int got = BATCH; got == BATCH;) {
      for (int i = 0; i < BATCH; i++) {
        v[i] = {data[i], sizeof data[i]};
        m[i].msg_hdr = {&from[i], sizeof from[i], &v[i], 1, control[i], sizeof control[i], 0};
      }
      got = recvmmsg(fd, m, BATCH, MSG_DONTWAIT, nullptr);
      std::lock_guard<std::mutex> guard(lock_);
      for (int i = 0; i < got; i++) {
        cmsghdr* c = CMSG_FIRSTHDR(&m[i].msg_hdr);
        bool rtcp = data[i][1] >= 192 && data[i][1] <= 223;
        if (!c || c->cmsg_type != SO_TIMESTAMPNS || m[i].msg_len < 12 || rtcp) continue;
        timespec t;
        memcpy(&t, CMSG_DATA(c), sizeof t);
        uint16_t sequence = data[i][2] << 8 | data[i][3];
        uint32_t ssrc;
        memcpy(&ssrc, data[i] + 8, 4);
        heard[uint64_t(ssrc) << 16 | from[i].sin_port].observe(sequence, t.tv_sec * 1000 * MS + t.tv_nsec);
      }
    }
  }
  return nullptr;
}

static void* transmit(void*) {
  steady();
  unsigned char p[172];
  memset(p, 0xd5, sizeof p);
  p[0] = 0x80;
  p[1] = 0;
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_addr = own;
  int64_t from = now(CLOCK_MONOTONIC) / MS * MS + 2 * MS;
  for (int64_t tick = 0; sending; tick++) {
    int64_t at = from + tick * MS;
    timespec t{at / (1000 * MS), at % (1000 * MS)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr);
    uint16_t sequence = tick / 20;
    for (size_t i = tick % 20; i < ports.size(); i += 20) {
      uint16_t s = htons(sequence);
      uint32_t timestamp = htonl(tick / 20 * 160), ssrc = htonl(i + 1);
      memcpy(p + 2, &s, 2);
      memcpy(p + 4, &timestamp, 4);
      memcpy(p + 8, &ssrc, 4);
      to.sin_port = htons(ports[i]);
      int64_t instant = now(CLOCK_REALTIME);
      if (sendto(fd, p, sizeof p, MSG_DONTWAIT, (sockaddr*)&to, sizeof to) == sizeof p) sent++;
      sentTo[ports[i]].observe(sequence, instant);
    }
  }
  return nullptr;
}

static double quantile(std::vector<float>& v, double q) {
  if (v.empty()) return -1;
  size_t k = std::min(v.size() - 1, size_t(q * v.size()));
  std::nth_element(v.begin(), v.begin() + k, v.end());
  return v[k];
}

static void report() {
  uint64_t received = 0, lost = 0;
  std::vector<float> means;
  std::string truth;
  for (auto& [key, h] : heard) {
    if (h.packets > 50) means.push_back(float(h.meanUs()));
    received += h.packets;
    lost += h.lost;
  }
  for (uint16_t port : ports) truth += (truth.empty() ? "" : ",") + std::to_string(sentTo[port].meanUs());
  double sum = 0;
  for (float m : means) sum += m;
  printf("{\"streams\":%zu,\"received\":%lu,\"lost\":%lu,\"sent\":%lu,\"jitterMeanUs\":%.3f,\"jitterP99Us\":%.3f,", means.size(), received, lost,
         sent.load(), means.empty() ? -1 : sum / means.size(), quantile(means, 0.99));
  printf("\"sentJitterUs\":[%s]}\n", truth.c_str());
  fflush(stdout);
}

int main(int, char** arguments) {
  fd = socket(AF_INET, SOCK_DGRAM, 0);
  int big = 64 << 20, on = 1;
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &big, sizeof big)) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &big, sizeof big);
  setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  sockaddr_in a{};
  a.sin_family = AF_INET;
  a.sin_port = htons(atoi(arguments[2]));
  inet_pton(AF_INET, arguments[1], &own);
  a.sin_addr = own;
  if (bind(fd, (sockaddr*)&a, sizeof a)) return perror("bind"), 1;
  pthread_t receiver, sender;
  pthread_create(&receiver, nullptr, receive, nullptr);
  puts("ready");
  fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "send") {
      for (int port; words >> port;) ports.push_back(port);
      sending = true;
      pthread_create(&sender, nullptr, transmit, nullptr);
    }
    if (word == "end" && sending.exchange(false)) pthread_join(sender, nullptr);
    std::lock_guard<std::mutex> guard(lock_);
    if (word == "begin") {
      for (auto& [key, h] : heard) h.forget();
      sent = 0;
    }
    if (word == "end") report();
  }
  over = true;
  _exit(0);
}
