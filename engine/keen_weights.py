"""The weights of `engine.keen_policy`, one byte a cell.

Fitted by self-play under `tournament_default`, in two rounds: 10 000 and 25 000 deals were played by a search
of sixty guessed worlds a card, one card in ten at random, whose playouts went by `engine.policy` in the first
round and by the weights of the first in the second. The sum of a card's weights was fitted to what the search
found it to be worth, less the best card's worth (and 45 points at most): by least squares, and then for the
greatest mean worth of the card that is chosen. In a tenth of the decisions, kept out, that card was 1.7
points below the best one, a random card 9.7.

These rounds were made by a faster program in C++ that plays as `engine` does; further ones are made in the
same way by `tools/fit_keen_policy.py`.
"""

from base64 import b85decode
from typing import Final
from zlib import decompress

LEAD_CELLS: Final = (48 * 6 * 3 * 4, 48 * 6 * 3, 12 * 4 * 4 * 3 * 6, 18 * 3 * 6 * 4, 12 * 8 * 3 * 6)
"""Cells of the five tables for leads."""
FOLLOW_CELLS: Final = (180 * 3 * 4, 180 * 4 * 3, 180 * 2 * 2 * 2, 180 * 2 * 2 * 2, 30 * 8 * 6)
"""Cells of the five tables for cards that follow."""

STEP: Final = 0.25
"""Points that one more in a stored byte stands for."""
NOTHING: Final = 128
"""The byte of a weight of nothing; where only sums are compared it need not be taken off."""

_STORED: Final = (
    "c-rlJS(6;ck>+1ovw7C;XtZNv#+8W&L=XUhZZx{Py6&vJ?+A~)ud1y3>JvcY<RMa&M2?0tL(Q6OwYv|qwr2CNwtr?lv#J{nOoM<R"
    "j%cG*qPjaOD>E|O!~OHmJ)-c?Bg|40kq`M=Dun;1qv=AY->5$cmdnkmtnRj*`hw#>5y5G8+6w&q^Qb4c1P<_6+Px{f>NvJ2+&dV-"
    "qsNcn`tN=RM5aJxc!R?NP<BAtsbL$RU%3rJhx@&IQ9}aFDi3Xu0^9$4aEK0d%Xr!4_27urdkG|MfZKGiY*7~s5#X>_8QPK!mX0GC"
    "EsmN71sl)*_3Y_Ka(mU?y`xSK{=^S0>|2pARNcI-gi)Z%gKnpODB8x3K;$M)kX$vyJ&rrvthH;30kS^V<EAPU_crQ_gI7LaxPJ`C"
    "!vzc<Pr&`^F)(@zo*#T~0v8tV+cubJj{DdSY*Myga(G^nC<Aq)l515Ohuz9j+1}3St`o;;HQ2bi6}Fpt8s#^Vq^UM*&;{t~jZUYy"
    "_jAI(TF%HDLa#f4{-g)0Hvp<QVEM`SrXL%BoEX6H@GrJmgr4iZ^m1K4I+YnQc4=O-$n+uSFp=<ng{O!6x2>Jc4UvCeawb1}TMzop"
    "`VIuM?tX8#)hzB!NPhp-s4<wr@$m?b?jJ+j8No1CAn0Y^qsw@}igCq-cH-hKn9)lW)C*ka_Gt|LO*FmKB?7`}avLC|Qw9h#E=3;{"
    "oB)^!BOWoCA27G2l=pULS@frlKmJH`pE{L0U-?(wF|^$I6}ffw>zlP(`qhRuzj5{L#m$><S!8$bmshV{u@w${vt#_GvsW+fz2?tf"
    "jXwuZK7t3Ioxmqw4uKp#gh@Y!{fYX$3SIb@vo;wgg_Wbd#QbB|jfiQ<nT4^^b5y^s7(F6cfybngZs^RV?I3eiKpYb=wmE}dw^}O!"
    "%}%|^tF0NIodCvk97l*_a$N$R`|rknRCoXWpw(73oq1D?jz2aGk-w7kD{449*mCY{Y?$IL!8-inYCGv~xAtJ3MPsun@}=l(eDul("
    "h)ExgCj;1jvIHM8$k8RE`RIEU+QTuZWYu=DEzy@=s)R0S<7k(NIhpJLLC)iB18lJwwDMIScSu4F!vGt(&|x<vI=8}~k66V1)bU5j"
    "0{D#8wtr*ZxY`9SI%#$4pU&TX&uFU7^48UBrgHNqmc6;F$~QMz(*jFztY5a35`TVrFv(vXPwzj1hffdSS09gH@%R{)ON?bK_<p4>"
    "@Fu*__FnE^NeDEu;C43bNL?T7jMJ)9)8u;|D1O5>Bwd$#i6^NE^f(<NClB2nz9i6Y*L$^}g!p{FA40OgHkzAM#Jqn$_=5!I7d)Ks"
    "Qml1$73)Xs#u8)B5DvpWxI=(^mF#E|s2khBVeV5<=R<&_3iO(7C^E6an9v};z5|Q;CQ|G_jGRC-0@AkCTaBBy?r=LhKf|7n;O{1%"
    "!Q&ag<Yo5o$c2K%7#jLSLE8c5RR}t|BMPD0y#Ll-9|0tQq_+gGyOQhDgW?<xd|>#e2(nKAzLemuo{S9g&c?03ytaq2FPXvM_-nXV"
    "sNrS(#3p#LkA1EB!Q=l{;4Tw2s{JAQ`2t0hf!N$TjhpZNkZkkW*8qR}DSYwGH}Lo|z|X!-vl)egkQG08>G2-SbWP^CM%5*{f@hJQ"
    "2Cfh47$^KS$MYH5&nBGOuq4(UuJRvlN;ntZ6lV8-4f7L#r!T#8<ysy_`hrYj!tvW1&{dkDWB(!g`884w16<wzLFI$`d)}=L?<*YS"
    "Kftg4@nd-Ow*a5K%Kp-Gzc{!Fhjq~;vdVM5-ax!b5Ei=oa4^TP`kLcOm+5rbHAGYGfUIf){P}prQRm0+RrfER2~5^sJm+W!hpqjO"
    "UR8Uk^^X1vsn?YiSt_x5F;bl#^N4irrSZX&LE_rf_?C`>2^)YLY93_PDwSlNSOl9xuxX3B`1-P$YobF4=zm<TF0#~%7h;n}Eof~P"
    "yeLck(Ij6k(?AB9QM61VBzjYt<(my1dOZ(ei(sJKwMf#^T%cSX;mkIIEYUhzX1bV0MkqxmL6>Rjn(r$hOzNmeHVDJ1lx2OHz@VQf"
    "m*(AyywJLeK6Pzy8wH7XtkhPCD3BlpC+mB!C)aE_9nbD>S1rB@Qibl|2sJZ_5AF`^paHCF6w!#yM3poIk+VP&v?5@KX;-@<h^nXo"
    "FPrpF*PBibK0aL}x}xYDXqw#oGrqj)=nazFA8tP9|NWq%kDgCD{dn-I+|;+b2Pd~HL_TMOrVfkVY0oyFxx|P%G^SuG-_}!ic><}I"
    "G6)a7!D^5j2DI!zfz8{Le|_1~780D|Z-Y92WS;5xG&OHF9J>K&Z;W2q^ZbvZ`O|~I+JegF)?0`+s^vO~6A(!O)*^f8%O)_>BgAnf"
    "aKZw66+;zyrBb(*5%iOLpCgkSEsQ2@YztK#>MBxFM0GcbAO7-gjJ%)Mv5!lRO_lEOZ7J(U_aL^r5Af+Wvoq!>;7&183kR<!*J!do"
    "d3=1QS-rCjB9ZY~1}|xfJc}O<ZOEM&vKgBaTee-%h;7g#r@tnep{tlS1w<j~PuH6se0=Z8GUYhkXn?8d^*`gwD>M3P!>l|<M?y6t"
    ">HOju<{XClt9bH5p*otiZ|fF0&*deWFGj8vJ#z`u$uqEt@oo6y*q=|~SVl)W2v>;#W8xLyMuG^pw|^fdBM(=}8Zp5C<7)L$*A9{C"
    "aDiR{QHc>ry2E?9HawVT+%~}OP6a)Za4o$T`5{9yrM9rrv_A12lM)b!S)?|7U9!y`nO8poFNl!(SeY9)_hhxGZ;HAj6(z0wU^zb+"
    "b-OZ5eP#Eu@mzl=F$Ki%z&QYtjK9Q;i?=Q2DWc)WV5h-rR_Mn4+5P?b&MsfbRV&sJG0PBHbTk=<4$Ou{t)Ehh+O}g@2yT_gyI4dq"
    "BxHRa`TxVS3P>-~yS;*c7Pb$oXjtUKXU>G#JtP-?&W=HAp5DDS?;ehN!=*e-BctbwBfr12ro`X^)6@dODk&4LHQHs}I}L5a8W6*>"
    "d`a${*Xs)|@QVx2#*`H9783!hIzh3xTqG2g_4S1j7QTsr8!nPJ_nS^W{TDv#hUB>aFH-*Ce>Em|KQ;PW$<7|<xK&Wn1{dz$5K|1e"
    "cr=>AwJKlRHjG|HHqGa7xW2BS&DPKUeEq(7W>G*T>uX^Bz8JT*{v0mot%VlVVTblVW3<0o5Fos>hJx`Z-2h}y2ja<Kl&Z$ROajA1"
    "Kp{3L-+7(3uP&1Aa1><B49BA3_Uih;rEbdN(6LQR7tM|vS(4q^3rjF0iILc@9Po~Y3Cof4o!j1h4(|5%=r0Zrf+=|Mmw)g0-+VJ1"
    ")q=KJ?Z~?-Ea0cmF`CdUx##9yXLD<plMLt^6|WlpTlqwh#SI}qFtDMI43pWbwd4T0_!Hnft=_kB+626&NL+O=zVmSmnu}=I8UzEG"
    "xxHOI&oZMI`r%A5d{>lJCL2;C7G%G%6_)w7Glq<KB*NS^l9l;)KA@9v4L(`a;jVWSe;OS{zxc?`KmXkzXvH$LZHZT5Is3qFD{Z^8"
    "QC$DwR^!&jEv_a*uJ1teJI^RDI!Lmrx0YC9uCXh_D}4N?!Ya0F_*cRoA42^7tz@5tzBv<`43k6O%EE$~`nld^n#I@AOEZ*Z-<pPL"
    "!plTMaFZ<bj<kQ=cQdNliU_=*Vblx9!El^1gQ^M$yoO-L9(NxtJgT|K=Xu^n&hI|7^3#Fd5%dNaL~dU;oLrYRiBDoP(AR=<;>2&~"
    "5#k_9>=cVdr2RN^7rCwK6xvz=l2a?@5AV067&H2j9U#n;&%}dI0zoo6HBc4fjVo`e90ZE}p=O977}UifM9IMKOr;h}(K}=ZZO=&P"
    "-MgaZc_Qjx(NW#~WGKkOJPb!BBs4+&IJ(nw!jrLAZ-Ldb+iyA^T`|md?!}&S1p9a6qLA%|epD=-wnPZM0B3LzkCH5t+J?Fddb`*c"
    "luvWkwJl4qE3m^ikdwH<^q_ad%bePQX4UAtamC*C94ilOyG;;9O}W%hMl)B^aDqD-k`9=3M?EjH13N&>-xBalJRJ5Ds0WsUQ9&tq"
    "iyz1FBtn{n_$y+nfHSDk=+q~QNiZL@Z0q&L)2TIGP4p<S&<CWVoNs1RL2w-<8W5mX0cgPxSyo6jliDEZ3?1n1!O%Q-h}UuwD8xY<"
    "3s~RmFCs!2h0KLF-mzh6IRqbXv6L!c1jQOflwp5yL-NpYJ4T93Smn)-pb{g7er%ZN!hKIyb%hebd0>e}v~@9^ZM9BRRbW6xc;kpb"
    "nd6y3%FNV(UcW$7#ym6epc6<kN=ndr)4)x=Tvh`rL0xpa1vmEGzGo}UR)JT~*Hw`wSf++(Bfs&ghQk8nyGd-(I`}HXc~8S$&q+;#"
    "Hf-=a79vS6?Dx}96l_z#Jl#Xz$wq@XjRe_5t(vq@P}cW`!$^_~j)6c`M1<VRmo77{f_3PxYd@enrp6*Z6--F20!}^4YFpKS5vc__"
    "U(hicHI(_WZkUPzg2%9D!`1A=Cw@;Jpn)|?h<0aLK2#)z#*{|z#vHp51mbW}(StaJj$G7jmPR!7GGEWlF&M1^f0%8LMLNMT$PmU3"
    "VqMIbwXJ%3#2ZDm8R?l83~=PSCi93|p8Li-01WKe4rSkTEnvq1T7d6+B<PBg=@M|P37(0apxcMO*(FV2QcEpK<RHycf;lMY4YHn#"
    "0!@jb0%usSuOEaN$%PKGRmxM)LJ9$@o8RLhGz~Oej8MD?y1k<GSB8UE_Bh>Vpy>qaIN6iHfw3ZixLxcW^T1Pi^i>3iehQhfN}iGj"
    "=j#*94}^TesXvQ32WU6xC5HYWQdG^_>P$I-`+O97g2Ea1g4^1sA#*C48~yh?Y8jBXRN>h=IzO~vgy6YTKn9u&StrPyh6nR?Tf&ey"
    "CM!Z-tTP|1)fn^NJu%dL2BK9go}-Yh4j7nD7W+2ZA0iDT6oxp6>w8F*3yZ||71R}5!$Kv#wB`mp&eM22$G&j<rVdN!z-e)N%YeHG"
    "upv%aAja_JJYH2$XTxVvhU&>!&mMTt*3&GQ<(=Sh2kOM-q+D%sPiIA~Pt$+SDy<`*7}ZWnezlX7JnS|?{001TK)1@>yujrFxNG2Y"
    "Wd_bV<BO3Bh5jl-rhN*FHJxkP=`#|hJzM7YE_Q#hlykBD5(DRIE#TV&urWLRutQ<9TZ0MCC-<KlKs%@(1Ydbi1<6@e2{-&#<5=ov"
    "@T93i3kTE79pKTPeaztO(IJR3#twvx2alh^UTZ}RyZ0WSyTW3heB3wnuM^o|Axypq!1y{B<jtV5dz5qaUmQ90cO0SpRotxq^P!@="
    "$7#;7EzioK$>Ot`l<lncLlkF<HQ~Zuil@1F;!Nimw)M3O6jk!G-Gc3ZgZ&fDD;5&lC1@z>jwPaRBP~Y#?A_RaA*NZ{65!^0x8d`K"
    "UhYY{E=ut6WaaP8#^n{-s!8B<aSUAq(+>p+K5|ny?V}>zm*KO;DV(64*R?+UkN>@rEIfE{UYvUpSf_`e{XFexw9C!zkHzV4p&j2M"
    "BL7iT+57Uq6K~k<_Wv~Ys{idtpxx*QvqzF%0>P#zJhL*lSUOwlnPGcWgu=omNkL)OMFgCTGrVW`!5Ql4{&TQ;wo#!>U(ROoVwLfA"
    "RywVmVTNFW+QTl<*J_ynLv(~XheS^hVUFiHr0t@<(&-KN)lB9t29wlQpn*0VO?$8qt5CUv_%Im5P^d$C1MzCI4`X>%iyR#-&ugbh"
    "PQp0}J_{8>Mz(TlxyG-YHmP=r{6G?#zwEW(n$9avwN3FK?y_PUqfa`1xjp1vUVIiiT#Pe}l$&7?LJ0KPx)5Tqb3GS0Gg!9^N^-Ey"
    "yV}8bzYp!&_69W7r;z^|1Ie}9V2e}Oe}Z=S_H{^E3<=^%{rV1=xmDuw2X!0R+H5xT%h@bPJUHo3Awav>X^XI*`*1P^sBIbWc;dnd"
    "%A?kD_}v#Pzv#|p=j$NQRwsSxe;M$WH}bjT%(TDExkg8CS5H_?{=121U6U;BpR`8f*LOv0OLc<7)@n8VeO`E0YNNDRzgZQa3=?(h"
    "t#F~h3hPYIIKJ*#obo6P)_RsMgdJoj=V`CvJli665uY#Sg!1LES}Dt1Cuim_mOG2qmX6?RY+QKam1m0l_KfL5dl+6nZy)PFzF4a~"
    "-|;XkHSp<K?w_6QUdqd|+e#6K{VPY>2dB=p0>gv%7xvaN++5Wa16Y^n#iHy6jSJGRWH!nnu`{90o!%**rJS92%Y9#~=jyM&1LpOP"
    ")!5v!K&zI6WTkXA*a^mx<lTT)oFdR#S@e!aZ>_wqRZb8qWzpb8j*XDlUsW}6<od?GyZ5x*oc6i+<AuNV0FY@EpDvJ;lu9P0DzN>a"
    "97bMl-tx+i!t#a6e`?-1h~7T-uHADtj?`QCowrX0Kb;xx>*eh$`{T>O)XLvxsYbaRB+9isQ=MOq--h)%h+aMjd+3$zNjc+IdAm{e"
    "V3(al&ljaH8q&F4>lZMaKF>i`HDs=oYgN<bo;gz4zq<V_fUDOp-t{d<e4%Yd&q~Yt?5&G6t8<PqDF^VyimH@Sq-X8;Y+vV6x^^U7"
    "ok_Qgxg-B^-uq97y&o1XUP`y(51n$%{F$W5ne_(cTlcK3ohfAXjS%Ooo<`1Wp8r=Bwm<yXFT17X{HkXUwF|$l;OslXm7MJaP|2V("
    "6tBA8b-z?HepCgR1MHTK7gmn?rTu(Xwol2sCtm9_w+Pu2`h&;8t>1!lzqB7z;Ku;}wX__x;Zr0Vr6XshdZY5S(lh>^3wOrt&3$cS"
    "4jXg!<EeM$NdNJH^^RHUO(|b;scNB=$T~xYsO-=yWz5c~8!go+mP5U0mQi_&S$?{Dx#eZ{1*S|dKnlI!%l0!~av23HFIcR?Z23A*"
    "Z1Jv0*?X4IkgMnIy>Feni-g2yH_zL1^TxAXBIWBGXAmNOel|yASQD(cyk-?@$4YZ(?M<x0lX7)?K<YEAvRX$m&YYAhU#$zSy;4Ya"
    "rm=INI1fPQ=iTz<tZTo;%ll64IW7k&mV<FiJ*(v-x~1Fh(f63!VMUvn=2gSKC6^cA^&gZs8s%tTn8#V^v&SoYW<NTH>TgQ>dSL$W"
    "A>8>2)TH#IxcvR}te?|zlP4{o+dUgVRyrEC5A62X**f8_9vB~vyz0c+JC=UBw0>fis?*Mlxm~JSC^Z(8Gfqmm%u=WofUJx#J2S%g"
    "dARd0;4?WpW1dZcQBI9>89v(=Fxi3^cS~EAM(oh{427ABzhF{}h(^~6xm~H_<UVVI8ef|7QPVBTAAZ%zWgq3#1=EU%zqq>^?`i+I"
    "WILznWdD70Gd}FzA8l#d#w4Da8`rKSL(`Ty&WU_OFX6B)w@O#nGsP@QX*8;hDGF*gBl##+CCBM|5{c`c;-0LEX2BcnXtaq2wv~ga"
    "$&ODjRc&{8niA4%@|=@{-<G)&B*eD(+<vQ3&x;G1coHWDwFGN2r9z8zVKz7{30masmu`H2)=NI%iFXnncXy;3*|!G4t&QuWv1>V%"
    "W}Q)|Rzg=x5X;~#XGOB)GGo4~XdZ4S#Z2q6+jAAOrwn{$zA6{2f<0UN-;4B8q(&L4UrZb|n^}tb<);KXqN#pzSJRQzI)U8SA&L{{"
    "X+zX5EffTv(s#OqOX9ZdQAv$PTpo_LHvjPxsSM61`&mf}_j_~qt-rbX_B0+RAN=Ij+v9MO{ncMw|4|mi>3e^D`-ZA1<yslXt@f=_"
    "W)+M(@u_1`2r#i(A-oAmzgX#uz!O*UX>YV9s*vu0gal%uE6Dcs4wp0>Cig^MXoQ}fc7(mM|BYSlx%qv1Y`9rO-04SAJ&ju0-Jdy`"
    "=WliH-y4?KWy!r#<>TRz{WpKr*%-Q$@jGwTZcp-F_JhCp;4h;vaIWmtYKlQi{d78dY5xHwUb)Gi6<=KI;ru0-71^M8iGv9q%DI}!"
    "$X#y|CI-%_O=HTN#MaIu*2~zhtVm<skNUEjxTdU6+Pq_`zT;PRb%QcLx+!)qUyMt6@hH}qrPlZdxy<>#S&hBadU&jNR`z~S$~~Pw"
    "JlcF;mG0-0d}mj#9;ai{yw11#u}vAr35so%<8HSkZUt5z3e?gmExxmpU<OOwVn><?i5nvxs%62nh|uO6tpHifcXzBbF-#@0G1WG<"
    "1;Ge2bL(A^0qIAL%~m;%fne@Dw{K<6ydmPr;$+VsdL1%9O#?)%_Wa{PNd{^EUKw9MJ&K{Zvs*nLPRG>`E0slfIIR3c{2<fzhidIc"
    "qm2$#`fp7xk<_LTp-&bGcfqV(x`IFSscxc!N(Ld(RwX;3#4FccO^3G%Pu`jT8fB5$Ll3a5=ea=;Dv}Ca*Jg?#rQn#NQ;#*;6=ha+"
    "xo!%QD4YMP{>cnS(Q=YIo;#8yi_;r{8(Y54c{DpXb<&#Sc>9m0UB}DDce?yR*z*&9R6mdd+0|2O=#HfsUFH&5v5Z+W4Rk72S{x3("
    ">J%uwDxeiI8z_2EtiIwo3+J>~7&W$0PuA~0zn+e`M-|IgZA14NX5fPAw5^UE)h)jsR5ROa?Mi^r3i+#dp;+X&gQSNMc^v10<r_4z"
    "4rL>t8cmY<BXeG5wY0ZCo;mx@yfM(MU@#x-L|kn6bz)>0YPF-gxi;`PO#{R_Po~ChvxPD?3q1CL5rkKQZWtFdh&~Ibqrx7>bd@CF"
    "dpm&Vza+N4*03&AY0smx9~KJ|1W`hxjtRbQ)Csj2Yg@doicHnovG?vJ3+i&+yU#+Tiw4as0VLN~SYm?axe?2L4oNz2tglW2h<cD?"
    "2nf<t$pR|7gLIbIs_)u{pj$I=3gh9%vTX`Vr&;wp#}10IQ9aeVs~p^4<8WHY=f|p&c}4g&tT&3kW)M*xMP=00R3E{^);N)OX~&Xl"
    "ipGf2jHN5ZgSWukxlk^YPOM>ol$RaQ6WIdVT)2~Xh_kYA`yU;lQpa0^<0s(7S=ME~<;Sr-^kbuC^+=4i;+W(EpJZ$-%bwawodm__"
    "xLOnEN|>w&m9<#SShh+VAh645o7hEV2XR;r*YzT0HJeO$p<;O{L<@fI@A^PI8ai!+bIqYl$5dUlO<&vuW*J1?zT|%|kZgH56d};3"
    "nr-hAvqh|UBzb-q)}(t6iNm@i`1*;-hTSx-P0W~te&0DXEq%;&Wg3`<BjH0mUy%*7wNyP(5EN9Y2ZUdxPBAxLS(UTKj%bZfxmjp~"
    "sn#3qDWL`%*eXUl1x41G<v6M&-2~(^z-c$BS&!u1pU6No!*8N`&$)-Xuru#IIP4)D3MLrMxi|EBVA8I(IC@ONpUzsz7mwW3^SuF^"
    "SY8<QGJ9z1URU)sBo&Tl5IwX(mPC8!&`3nFDQ+kvr$KYSm`*R{Ttus4VPMUGqt&zRyxfpw8^oro;W%fjelJigVeRpkeBaQ>O(z4}"
    "kK6*mO;nww8XXOoqP9E8m7A>>jDxlnbqJQ!wlRC7YBGc*4~7<kOK(*CzZT^5x&KKe$}l`waoi2s%_tRVq;weu5+(2{^<=N>XiRy2"
    "&7G({Th2-32t6e*xo+EKjvv^v6fD1kZvxqthfqr`%X3)b>V|IXs(=VeHL+b2Os`sdVdHgZ%O*OLP7t#k(-`9I6Yt1_es?q;!q6Ws"
    "yU#@dg879JxL#m$4#u94>&GS+Sy?7Wrj+NzZ#<XVMYQ-jf2_p(M3IL`IaJ~rUe{_%ZqG?CS<*$?rJ*@coGG_NZJcD|<r|#6h-eZ7"
    "rY>}ltE*NE9NX#$&@=Ro1eS-hjV@#9=bI8Foq97^+PldTm1U0;2pJi~pr~Uq2iGWe<$I2|SdZ;+8D`SEC&Q7^xZUmd45i+WLA4ae"
    "wOyt&=Ej=I{5WZ@eKnxIL1-4?15Mp;bz`a-c>tQ@f}{Q6(+gQ_n?&j6I^PkAR@D?aR#~m0>8zuQ9ZTU2u5b|Z+!ajKKt0P4PaK$s"
    "{wRZSn#36lf?j_L%Y1m4!nmI=*0Y?(%VFp0BtB53+k-4ptY$Z%mZ2bGyC@KPs$qnVA8~7WJ?c7`>4%96fg4y|zvCs;gu<g0_mags"
    "W>dW=u~Vz0R<zvPv*u-&F7Y#gdI;pEz+mR0=>cz=vI0yZ#nQf~NiVE;s|r7!fFnwn9Z-dn#*jI&j|7v%!4x8Akvzx9!Vxu1VaPI7"
    "7kiOs7(y?R982+hh)s0oBvPMa!^HPghar{(u8D??!fTQ3V#e#c#QF~Q`Z2Z9NrC{>w$?WFKvVo6)b-shFigH4sYXk#0kKu(ybg<G"
    "E}cM^x(6<VUa?0na=YmmJvVl`FrCGDQIm_7>y^H-XN#V~j`fJ+rcu(exYz+obOfQUF4HK;B*}B)NMA2p_~^f$A1j~^bUVzLX@g_r"
    "9&u9U=$GYz8kEZ|MJkC|ULX~fdj2y1{eLwR{>K"
)


def _tables() -> list[bytes]:
    stored, tables = decompress(b85decode(_STORED)), []
    for size in (*LEAD_CELLS, *FOLLOW_CELLS):
        tables.append(stored[:size])
        stored = stored[size:]
    return tables


_TABLES: Final = _tables()
LEADS: Final = _TABLES[: len(LEAD_CELLS)]
FOLLOWS: Final = _TABLES[len(LEAD_CELLS) :]
