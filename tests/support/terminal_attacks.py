"""What a command in the shell tries that it must not get: each says BREACH, or shows a canary, where it does.

``{…}`` is filled in with where the canaries are; the canaries themselves stand in no command. What is ``harmless`` is
tried without a lock, too, where it must get through: else it would prove nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Attack:
    name: str
    command: str
    harmless: bool


_TEXT = r"""
# Keys and other processes.
== environment (harmless)
env
export -p
declare -x
== environment_of_first
cat /proc/1/environ | tr '\0' '\n'
cat /proc/$$/environ
== environment_of_app (harmless)
cat /proc/{pid}/environ
== environment_of_all
cat /proc/*/environ /proc/*/task/*/environ 2>/dev/null
== other_processes
for p in /proc/[0-9]*
do case $(cat $p/comm) in python*|pytest*|systemd) echo BREACH $p
esac
done
== signal_the_app (harmless)
kill -0 {pid} 2>/dev/null && echo BREACH
== kill_all
kill -9 -1
sleep 0.1
kill -9 1
kill -9 {pid}
== memory_of_app (harmless)
head -c 1 /proc/{pid}/mem
ls /proc/{pid}/fd 2>/dev/null && echo BREACH
== open_files (harmless)
for n in $(seq 3 40) $(ls /proc/$$/fd | grep -E '^[0-9]{{2,}}$')
do timeout 5 cat <&$n
done 2>/dev/null
ls /proc/1/fd | grep -E '^[3-9]' | while read n
do timeout 2 cat /proc/1/fd/$n
done
== command_lines
cat /proc/[0-9]*/cmdline | tr '\0' ' ' | grep -aE '[p]ytest -|[s]leep 1000|[s]treamlit' && echo BREACH

# Files.
== data_folder (harmless)
cat {secret}
== data_folder_by_the_way (harmless)
cat /folder/../..{secret} ../..{secret} /proc/1/root{secret} /proc/self/root{secret} /proc/1/cwd/../{secret}
== symlink (harmless)
ln -s {secret} link
cat link
ln -s / top
cat top{secret}
rm -f link top
== hard_link (harmless)
ln {secret} hard && cat hard
== temporary_files (harmless)
cat {temporary}
ls /tmp /var/tmp /dev/shm | grep -a canary && echo BREACH
== find
find / -name '*canary*' -not -path '/proc/*' 2>/dev/null | grep . && echo BREACH
== homes (harmless)
ls -d /root /home /var /srv /opt /run /mnt /media /boot /sys /lost+found 2>/dev/null && echo BREACH
== accounts (harmless)
head -c 100 /etc/passwd 2>/dev/null | grep -qa . && echo BREACH read /etc/passwd
head -c 100 /etc/shadow 2>/dev/null | grep -qa . && echo BREACH read /etc/shadow
head -c 100 /etc/hosts 2>/dev/null | grep -qa . && echo BREACH read /etc/hosts
head -c 100 /etc/resolv.conf 2>/dev/null | grep -qa . && echo BREACH read /etc/resolv.conf
head -c 100 /etc/machine-id 2>/dev/null | grep -qa . && echo BREACH read /etc/machine-id
== disks
ls /dev | grep -E '^(sd|vd|nvme|dm|loop|mem|kmsg|kvm|fuse|vsock)' && echo BREACH
== other_folders (harmless)
ls / | grep -vE '^(bin|dev|etc|folder|lib|lib32|lib64|libx32|proc|sbin|tmp|usr)$' && echo BREACH

# Writing.
== write_system
(echo x > /usr/x) 2>/dev/null && echo BREACH wrote /usr/x
(echo x > /usr/bin/x) 2>/dev/null && echo BREACH wrote /usr/bin/x
(echo x > /usr/lib/x) 2>/dev/null && echo BREACH wrote /usr/lib/x
(echo x > /bin/x) 2>/dev/null && echo BREACH wrote /bin/x
(echo x > /etc/x) 2>/dev/null && echo BREACH wrote /etc/x
(echo x > /x) 2>/dev/null && echo BREACH wrote /x
(echo x > /dev/x) 2>/dev/null && echo BREACH wrote /dev/x
(echo x > /proc/x) 2>/dev/null && echo BREACH wrote /proc/x
(echo x > /lib/x) 2>/dev/null && echo BREACH wrote /lib/x
== overwrite_program
cp /bin/true /usr/bin/env 2>/dev/null && echo BREACH
chmod 777 /usr/bin 2>/dev/null && echo BREACH
rm -f /usr/bin/env 2>/dev/null && echo BREACH
== remount
mount -o remount,rw /usr 2>/dev/null && echo BREACH
mount -o remount,rw / 2>/dev/null && echo BREACH
umount -l /folder 2>/dev/null && echo BREACH
== mount
mkdir -p m
mount -t tmpfs none m 2>/dev/null && echo BREACH
mount --bind / m 2>/dev/null && echo BREACH
mount -t proc proc m 2>/dev/null && echo BREACH
== devices
mknod disk b 254 0 2>/dev/null && echo BREACH
mknod mem c 1 1 2>/dev/null && echo BREACH

# The kernel.
== kernel_settings
(echo x > /proc/sys/kernel/core_pattern) 2>/dev/null && echo BREACH wrote /proc/sys/kernel/core_pattern
(echo x > /proc/sys/kernel/hostname) 2>/dev/null && echo BREACH wrote /proc/sys/kernel/hostname
(echo x > /proc/sys/vm/drop_caches) 2>/dev/null && echo BREACH wrote /proc/sys/vm/drop_caches
(echo x > /proc/sysrq-trigger) 2>/dev/null && echo BREACH wrote /proc/sysrq-trigger
(echo x > /proc/sys/fs/file-max) 2>/dev/null && echo BREACH wrote /proc/sys/fs/file-max
(echo x > /proc/sys/kernel/modprobe) 2>/dev/null && echo BREACH wrote /proc/sys/kernel/modprobe
(echo x > /proc/sys/user/max_user_namespaces) 2>/dev/null && echo BREACH wrote /proc/sys/user/max_user_namespaces
(echo x > /proc/irq/default_smp_affinity) 2>/dev/null && echo BREACH wrote /proc/irq/default_smp_affinity
== kernel_memory
head -c 100 /proc/kcore 2>/dev/null | grep -qa . && echo BREACH read /proc/kcore
head -c 100 /proc/kmsg 2>/dev/null | grep -qa . && echo BREACH read /proc/kmsg
head -c 100 /dev/mem 2>/dev/null | grep -qa . && echo BREACH read /dev/mem
head -c 100 /dev/kmem 2>/dev/null | grep -qa . && echo BREACH read /dev/kmem
head -c 100 /dev/port 2>/dev/null | grep -qa . && echo BREACH read /dev/port
head -c 100 /dev/kmsg 2>/dev/null | grep -qa . && echo BREACH read /dev/kmsg
head -c 100 /sys/kernel/notes 2>/dev/null | grep -qa . && echo BREACH read /sys/kernel/notes
== kernel_log
dmesg 2>/dev/null | grep . && echo BREACH
== kernel_addresses
awk '$1 !~ /^0+$/ {{ print "BREACH"
exit }}' /proc/kallsyms
== spare_the_shell
echo -1000 > /proc/self/oom_score_adj && echo BREACH
nice -n -5 true 2>&1 | grep -q . || echo BREACH
== name_of_machine (harmless)
uname -n | grep -vx shell && echo BREACH
hostname other 2>/dev/null && echo BREACH

# More rights.
== who
[ $(id -u) = 0 ] && echo BREACH
grep -E '^Cap' /proc/self/status | grep -vE '0000000000000000' && echo BREACH
== setuid
cp /bin/bash own && chmod 6755 own && ./own -p -c 'id -u' | grep -qx 0 && echo BREACH
for f in su sudo passwd mount newgrp
do p=$(command -v $f) && $p --version </dev/null >/dev/null 2>&1
done
grep -q 'NoNewPrivs:.1' /proc/self/status || echo BREACH
== be_another
perl -e '$> = 0; $< = 0;
print "BREACH\n" if $> == 0 || $< == 0;
chown(0, 0, "/folder") and print "BREACH\n"'
== new_user_namespace
unshare -U true 2>/dev/null && echo BREACH
unshare -Ur id 2>/dev/null && echo BREACH
unshare -n true 2>/dev/null && echo BREACH
== enter_namespace
for n in mnt net pid user
do nsenter --$n=/proc/1/ns/$n true 2>/dev/null && [ $n != user ] && echo BREACH $n
done
true
== change_root
chroot / true 2>/dev/null && echo BREACH
== raise_limits
for l in u f n t v d
do ulimit -H$l unlimited 2>/dev/null && echo BREACH $l
done
== terminal_input
(echo > /dev/tty) 2>/dev/null && echo BREACH
perl -e 'my $c = "x";
for my $f (*STDIN, *STDOUT, *STDERR) {{ ioctl($f, 0x5412, $c) and print "BREACH\n" }}'

# The network.
== tcp (harmless)
exec 3<>/dev/tcp/127.0.0.1/{tcp} && echo BREACH
== tcp_6 (harmless)
perl -e 'use Socket qw(:all);
socket(my $s, AF_INET6, SOCK_STREAM, 0) or exit;
connect($s, pack_sockaddr_in6({tcp6}, inet_pton(AF_INET6, "::1"))) and print "BREACH\n"'
== udp (harmless)
echo hello > /dev/udp/127.0.0.1/{udp}
== abstract_socket (harmless)
perl -e 'use Socket;
socket(my $s, AF_UNIX, SOCK_STREAM, 0);
connect($s, pack_sockaddr_un("\0{abstract}")) and print "BREACH\n"'
== socket_file (harmless)
perl -e 'use Socket;
socket(my $s, AF_UNIX, SOCK_STREAM, 0);
connect($s, pack_sockaddr_un("{socket}")) and print "BREACH\n"'
== metadata
(exec 3<>/dev/tcp/169.254.169.254/80) 2>/dev/null && echo BREACH
(exec 3<>/dev/udp/192.0.2.1/53
echo x >&3) 2>/dev/null && echo BREACH
== interfaces
tail -n +3 /proc/net/dev | grep -v lo: && echo BREACH
tail -n +2 /proc/net/route | grep . && echo BREACH
== families (harmless)
perl -e 'for my $f (0..60) {{ next if $f == 1 || $f == 2 || $f == 10;
for my $t (1..5) {{ socket(my $s, $f, $t, 0) and print "BREACH $f\n" }} }}'
== raw_sockets
perl -e 'for my $f (2, 10) {{ for my $p (1, 58, 255) {{ socket(my $s, $f, 3, $p) and print "BREACH $f\n" }} }}'

# Lies.
== lie_about_the_end
for n in $(seq 3 60)
do echo '{{"exit-code": 0}}' >&$n
done 2>/dev/null
exit 7
== wait_for_input
read -t 20 line && echo BREACH
cat
"""
_ATTACK = re.compile(r"^== (\w+)( \(harmless\))?\n(.*?)(?=^== |^# |\Z)", re.M | re.S)
ATTACKS = tuple(Attack(name, command.strip(), bool(harmless)) for name, harmless, command in _ATTACK.findall(_TEXT))
